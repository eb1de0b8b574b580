import type { AdvertisedRateLimit } from '#protocol/rate-limits.ts'
import type { RateLimit, RateLimits } from '#server/store/projects/settings.ts'
import {
  createTokenBucket,
  findWaitMs,
  giveTokensBack,
  remainingWaitMs,
  takeTokens,
  type TokenBucket,
} from './token-bucket.ts'

/** Whose limit was reached: the outcome's reason, and the last word of the header. */
export const limitReasons = ['key_limit', 'project_limit', 'address_limit'] as const
export type LimitReason = (typeof limitReasons)[number]

/** Limits that one thing has: a key, a project, or an address that sends to it. */
export interface LimitScope {
  reason: LimitReason
  limits: RateLimits
  /** By category, as far as asked for; kept from one request to the next. */
  buckets: Map<string, TokenBucket>
}

/** The quantities to take from the limits. */
export interface LimitQuestion {
  /** Relay's data category. */
  category: string
  /** What the category is counted in: bytes of attachments, spans, items. */
  quantity: number
  /** What `all` is counted in. */
  itemCount: number
}

/** The limits that one request is under. */
export interface RequestLimits {
  /** The scope of a limit on all categories that is reached now. */
  findReachedLimit(): LimitReason | undefined
  /** Takes from every limit that applies, or from none: then it returns the scope of the reached limit. */
  take(question: LimitQuestion): LimitReason | undefined
  /** Undoes a `take`: a filtered item counts only against the limit of its client address. */
  refund(question: LimitQuestion): void
  /** The limits that this client must observe now, whatever the request contains. */
  listActive(): AdvertisedRateLimit[]
}

interface NamedBucket {
  scope: LimitScope
  /** A category, or `all`. */
  name: string
  bucket: TokenBucket
}

/** `clock` is that of the buckets. */
export function createRequestLimits(scopes: readonly LimitScope[], clock: () => number): RequestLimits {
  const bucketsFor = (category: string): NamedBucket[] =>
    scopes.flatMap((scope) =>
      [category, 'all'].flatMap((name) => {
        const limit = scope.limits[name]
        return limit === undefined ? [] : [{ scope, name, bucket: bucketOf(scope, name, limit) }]
      }),
    )

  /** A changed limit starts with a full bucket, so that a raised limit applies at once. */
  function bucketOf({ buckets }: LimitScope, name: string, limit: RateLimit): TokenBucket {
    const known = buckets.get(name)
    if (known !== undefined && isSameLimit(known.limit, limit)) return known
    const bucket = createTokenBucket(limit, clock())
    buckets.set(name, bucket)
    return bucket
  }

  return {
    findReachedLimit() {
      const now = clock()
      const reached = bucketsFor('all').find(({ bucket }) => remainingWaitMs(bucket, now) > 0)
      return reached?.scope.reason
    },
    take(question) {
      const now = clock()
      const buckets = bucketsFor(question.category)
      for (const { scope, name, bucket } of buckets) {
        if (findWaitMs(bucket, quantityOf(question, name), now) > 0) return scope.reason
      }
      for (const { name, bucket } of buckets) takeTokens(bucket, quantityOf(question, name))
      return undefined
    },
    refund(question) {
      for (const { scope, name, bucket } of bucketsFor(question.category)) {
        if (scope.reason !== 'address_limit') giveTokensBack(bucket, quantityOf(question, name))
      }
    },
    listActive() {
      const now = clock()
      return scopes.flatMap(({ reason, limits, buckets }) =>
        Object.entries(limits).flatMap(([category, limit]) => {
          const bucket = buckets.get(category)
          const waitMs =
            bucket !== undefined && isSameLimit(bucket.limit, limit) ? remainingWaitMs(bucket, now) : 0
          if (waitMs === 0) return []
          const scope = reason === 'project_limit' ? 'project' : 'key'
          return [{ retryAfterSeconds: Math.ceil(waitMs / 1000), category, scope, reason }]
        }),
      )
    },
  }
}

function quantityOf({ quantity, itemCount }: LimitQuestion, name: string): number {
  return name === 'all' ? itemCount : quantity
}

function isSameLimit(one: RateLimit, other: RateLimit): boolean {
  return one.quantity === other.quantity && one.windowSeconds === other.windowSeconds
}
