import { BoundedMap } from '#server/bounded-map.ts'
import { limits } from '#server/limits.ts'
import {
  createTokenBucket,
  findWaitMs,
  takeTokens,
  type TokenBucket,
} from '#server/rate-limit/token-bucket.ts'

/** How much each token of the API may still ask. */
export interface TokenTurns {
  /** Takes one request from what the token has left. */
  take(tokenId: string, now: number): TokenTurn
}

/** What taking a request came to. */
export interface TokenTurn {
  /** Milliseconds to wait; 0 where the request was taken. */
  waitMs: number
  /** Requests that may follow at once. */
  remaining: number
  /** Milliseconds until all of them may again, if none follows. */
  wholeInMs: number
}

/** Every token has `limits.apiRateLimit` to itself. */
export function createTokenTurns(): TokenTurns {
  const buckets = new BoundedMap<string, TokenBucket>(limits.rateLimitedKeys)
  return {
    take(tokenId, now) {
      const bucket = buckets.getOrCreate(tokenId, () => createTokenBucket(limits.apiRateLimit, now))
      const waitMs = findWaitMs(bucket, 1, now)
      if (waitMs === 0) takeTokens(bucket, 1)
      const { quantity, windowSeconds } = limits.apiRateLimit
      const wholeInMs = ((quantity - bucket.tokens) * windowSeconds * 1000) / quantity
      return { waitMs, remaining: waitMs === 0 ? Math.floor(bucket.tokens) : 0, wholeInMs }
    },
  }
}
