import { BoundedMap } from '#server/bounded-map.ts'
import { limits } from '#server/limits.ts'
import {
  createTokenBucket,
  findWaitMs,
  takeTokens,
  type TokenBucket,
} from '#server/rate-limit/token-bucket.ts'

/** The rate limits of API tokens. */
export interface TokenRateLimiter {
  /** Takes one request from the limit of a token. */
  take(tokenId: string, now: number): TokenRateLimit
}

/** The state of a token's limit after a request. */
export interface TokenRateLimit {
  /** Milliseconds to wait; 0 if the request is accepted. */
  waitMs: number
  /** Requests that remain. */
  remaining: number
  /** Milliseconds until the limit is full again, without further requests. */
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
