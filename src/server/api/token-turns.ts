import { limits } from '#server/limits.ts'
import {
  createTokenBucket,
  findWaitMs,
  takeTokens,
  type TokenBucket,
} from '#server/rate-limit/token-bucket.ts'

/** How much each token of the API may still ask. */
export interface TokenTurns {
  /** Takes one request from what the token has left; answers with the milliseconds to wait where there is nothing. */
  take(tokenId: string, now: number): number
}

/** Every token has `limits.apiRateLimit` to itself. */
export function createTokenTurns(): TokenTurns {
  const buckets = new Map<string, TokenBucket>()
  return {
    take(tokenId, now) {
      if (buckets.size >= limits.rateLimitedKeys) buckets.clear()
      const bucket = buckets.get(tokenId) ?? createTokenBucket(limits.apiRateLimit, now)
      buckets.set(tokenId, bucket)
      const waitMs = findWaitMs(bucket, 1, now)
      if (waitMs === 0) takeTokens(bucket, 1)
      return waitMs
    },
  }
}
