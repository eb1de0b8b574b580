import { limits } from '#server/limits.ts'
import type { RateLimit } from '#server/store/projects/settings.ts'

/** The state of one limit. Starts full and is mutable. */
export interface TokenBucket {
  readonly limit: RateLimit
  /** Negative after a quantity that is larger than the bucket. */
  tokens: number
  /** The time of `tokens`, by the caller's clock. */
  filledAt: number
  /** End of the advertised wait, until which no tokens are available. */
  blockedUntil: number
}

/**
 * The maximum rounding error of refilled tokens: without this tolerance a request could have to wait again
 * after its wait.
 */
const roundingTokens = 1e-7

/** Creates a full bucket. `now`: milliseconds of any clock. */
export function createTokenBucket(limit: RateLimit, now: number): TokenBucket {
  return { limit, tokens: limit.quantity, filledAt: now, blockedUntil: now }
}

/**
 * Milliseconds until `quantity` is available; 0 if it is now. Does not take it. A quantity that is larger
 * than the bucket is available while the bucket is full: batches of a sender may all be larger. A quantity of
 * 0 is always available, except during a wait.
 *
 * After the wait the quantity is available: it lasts until a tenth of the bucket, or `quantity` if that is
 * more, has refilled, in whole seconds. Until its end all requests get the same answer. If the clock goes
 * back, the bucket waits until it has caught up.
 */
export function findWaitMs(bucket: TokenBucket, quantity: number, now: number): number {
  refill(bucket, now)
  if (bucket.blockedUntil > bucket.filledAt) return bucket.blockedUntil - bucket.filledAt
  if (quantity === 0) return 0
  const needed = Math.min(quantity, bucket.limit.quantity)
  if (needed > 0 && needed <= bucket.tokens + roundingTokens) return 0
  bucket.blockedUntil = bucket.filledAt + blockMs(bucket, needed)
  return bucket.blockedUntil - bucket.filledAt
}

/** Takes a quantity for which `findWaitMs` returned 0. */
export function takeTokens(bucket: TokenBucket, quantity: number): void {
  bucket.tokens -= countedTokens(bucket, quantity)
}

/** Returns tokens of items that do not count, from a quantity of `taken`. */
export function giveTokensBack(bucket: TokenBucket, quantity: number, taken: number): void {
  const returned = countedTokens(bucket, taken) - countedTokens(bucket, taken - quantity)
  bucket.tokens = Math.min(bucket.tokens + returned, bucket.limit.quantity)
}

/**
 * The part of a quantity that counts: what is beyond the bucket delays the next items, at most by the longest
 * advertised wait, so that one huge batch does not block them for hours.
 */
function countedTokens({ limit: { quantity: size, windowSeconds } }: TokenBucket, quantity: number): number {
  return Math.min(quantity, size + (size * limits.rateLimitRetrySeconds) / windowSeconds)
}

/** Milliseconds until the advertised wait ends; 0 if there is none. */
export function remainingWaitMs(bucket: TokenBucket, now: number): number {
  return Math.max(0, bucket.blockedUntil - Math.max(now, bucket.filledAt))
}

function refill(bucket: TokenBucket, now: number): void {
  if (now <= bucket.filledAt) return
  const { quantity, windowSeconds } = bucket.limit
  const gained = ((now - bucket.filledAt) * quantity) / (windowSeconds * 1000)
  bucket.tokens = Math.min(quantity, bucket.tokens + gained)
  bucket.filledAt = now
}

function blockMs({ limit, tokens }: TokenBucket, requested: number): number {
  const { quantity, windowSeconds } = limit
  if (quantity === 0) return limits.closedRateLimitSeconds * 1000
  const wanted = Math.min(quantity, Math.max(requested, quantity / 10))
  const seconds = Math.ceil(((wanted - tokens) * windowSeconds) / quantity)
  return Math.min(Math.max(seconds, 1), limits.rateLimitRetrySeconds) * 1000
}
