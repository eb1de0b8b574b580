import { limits } from '#server/limits.ts'
import type { RateLimit } from '#server/store/projects/settings.ts'

/** How much of one limit is left. It starts full, and is changed in place. */
export interface TokenBucket {
  readonly limit: RateLimit
  tokens: number
  /** When `tokens` was true, by the caller's clock. */
  filledAt: number
  /** Until then nothing is given out, because a client was told so. */
  heldUntil: number
}

/** A full bucket. `now` is in milliseconds, by any clock. */
export function createTokenBucket(limit: RateLimit, now: number): TokenBucket {
  return { limit, tokens: limit.quantity, filledAt: now, heldUntil: now }
}

/**
 * Milliseconds until `quantity` may be asked for again; 0 when it is there now, and then still has to be
 * taken.
 *
 * Whoever is told to wait finds room afterwards: the wait is as long as a tenth of the bucket takes to fill,
 * or what was asked for where that is more, in whole seconds. Until it is over nobody gets anything, so that
 * all clients hear the same. A clock that goes back stands still here until it has caught up.
 */
export function findWaitMs(bucket: TokenBucket, quantity: number, now: number): number {
  refill(bucket, now)
  if (bucket.heldUntil > bucket.filledAt) return bucket.heldUntil - bucket.filledAt
  if (quantity <= bucket.tokens) return 0
  bucket.heldUntil = bucket.filledAt + holdMs(bucket, quantity)
  return bucket.heldUntil - bucket.filledAt
}

/** Takes what `findWaitMs` has just said is there. */
export function takeTokens(bucket: TokenBucket, quantity: number): void {
  bucket.tokens -= quantity
}

/** Puts back what was taken for something that then did not count. */
export function giveTokensBack(bucket: TokenBucket, quantity: number): void {
  bucket.tokens = Math.min(bucket.tokens + quantity, bucket.limit.quantity)
}

/** Milliseconds until the wait that clients were told is over; 0 when there is none. */
export function heldForMs(bucket: TokenBucket, now: number): number {
  return Math.max(0, bucket.heldUntil - Math.max(now, bucket.filledAt))
}

function refill(bucket: TokenBucket, now: number): void {
  if (now <= bucket.filledAt) return
  const { quantity, windowSeconds } = bucket.limit
  const gained = ((now - bucket.filledAt) * quantity) / (windowSeconds * 1000)
  bucket.tokens = Math.min(quantity, bucket.tokens + gained)
  bucket.filledAt = now
}

function holdMs({ limit, tokens }: TokenBucket, asked: number): number {
  const { quantity, windowSeconds } = limit
  if (quantity === 0) return limits.closedRateLimitSeconds * 1000
  const wanted = Math.min(quantity, Math.max(asked, quantity / 10))
  const seconds = Math.ceil(((wanted - tokens) * windowSeconds) / quantity)
  return Math.min(Math.max(seconds, 1), limits.rateLimitRetrySeconds) * 1000
}
