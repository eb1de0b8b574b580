import { BoundedMap } from '#server/bounded-map.ts'
import { limits } from '#server/limits.ts'
import { createTokenBucket, findWaitMs, takeTokens, type TokenBucket } from './token-bucket.ts'

/** API rate limits per token. */
export interface TokenRateLimiter {
  /** Takes one request from the limit of a token. */
  take(tokenId: string, now: number): TokenRateLimit
}

/** The result of `take`. */
export interface TokenRateLimit {
  /** Milliseconds until the next request is allowed; 0 if this one is. */
  waitMs: number
  /** Requests allowed immediately afterwards. */
  remaining: number
  /** Milliseconds until the limit is full again without further requests. */
  fullInMs: number
}

/** Each token has its own `limits.apiRateLimit`. */
export function createTokenRateLimiter(): TokenRateLimiter {
  const buckets = new BoundedMap<string, TokenBucket>(limits.rateLimitedKeys)
  return {
    take(tokenId, now) {
      const bucket = buckets.getOrCreate(tokenId, () => createTokenBucket(limits.apiRateLimit, now))
      const waitMs = findWaitMs(bucket, 1, now)
      if (waitMs === 0) takeTokens(bucket, 1)
      const { quantity, windowSeconds } = limits.apiRateLimit
      const fullInMs = ((quantity - bucket.tokens) * windowSeconds * 1000) / quantity
      return { waitMs, remaining: waitMs === 0 ? Math.floor(bucket.tokens) : 0, fullInMs }
    },
  }
}
