import { limits } from '#server/limits.ts'
import type { RateLimit } from '#server/store/projects/settings.ts'

/** How much of one limit is left. It starts full, and is changed in place. */
export interface TokenBucket {
  readonly limit: RateLimit
  tokens: number
  /** When `tokens` was true, by the caller's clock. */
  filledAt: number
  /** No tokens are given out before: a client was advertised this wait. */
  blockedUntil: number
}

/** A full bucket. `now` is in milliseconds, by any clock. */
export function createTokenBucket(limit: RateLimit, now: number): TokenBucket {
  return { limit, tokens: limit.quantity, filledAt: now, blockedUntil: now }
}

/**
 * Milliseconds until `quantity` tokens are available; 0 if they are available now. Does not take them.
 *
 * The wait is as long as a tenth of the bucket takes to fill, or the requested quantity if that is longer, in
 * whole seconds. Until it is over no client gets tokens, so that all clients receive the same answer. A clock
 * that is set back does not refill the bucket until it has caught up.
 */
export function findWaitMs(bucket: TokenBucket, quantity: number, now: number): number {
  refill(bucket, now)
  if (bucket.blockedUntil > bucket.filledAt) return bucket.blockedUntil - bucket.filledAt
  if (quantity <= bucket.tokens) return 0
  bucket.blockedUntil = bucket.filledAt + blockMs(bucket, quantity)
  return bucket.blockedUntil - bucket.filledAt
}

/** Takes tokens that `findWaitMs` has just found available. */
export function takeTokens(bucket: TokenBucket, quantity: number): void {
  bucket.tokens -= quantity
}

/** Returns the tokens of something that does not count. */
export function giveTokensBack(bucket: TokenBucket, quantity: number): void {
  bucket.tokens = Math.min(bucket.tokens + quantity, bucket.limit.quantity)
}

/** Milliseconds that remain of the advertised wait; 0 without one. */
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
