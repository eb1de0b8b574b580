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

/** The scope whose limit was reached: the outcome's reason, and the last field of the header. */
export const limitReasons = ['key_limit', 'project_limit', 'address_limit'] as const
export type LimitReason = (typeof limitReasons)[number]

/** Limits of a key, a project, or an address that sends to it. */
export interface LimitScope {
  reason: LimitReason
  limits: RateLimits
  /** Buckets by category, created on first use. They persist between requests. */
  buckets: Map<string, TokenBucket>
  /** True if a batch of spans, logs or metrics counts as one item of `all`. */
  countsBatches?: boolean
}

/** A quantity to count against the limits. */
export interface LimitQuestion {
  /** Relay's data category. */
  category: string
  /** In the unit of the category: bytes of attachments, spans, items. */
  quantity: number
  /** In the unit of `all`. */
  itemCount: number
  /** The same with each batch as one item; by default `itemCount`. */
  batchCount?: number
}

/** The limits that apply to a request. */
export interface RequestLimits {
  /** The reason if all items are currently rejected. */
  findReachedLimit(): LimitReason | undefined
  /** Counts a quantity against all its limits, or against none if one is reached; returns its reason. */
  take(question: LimitQuestion): LimitReason | undefined
  /** Reverses a `take`: filtered items count only against the limit of the client address. */
  refund(question: LimitQuestion): void
  /** The active limits of this sender, whether or not this request reached them. */
  listActive(): AdvertisedRateLimit[]
}

interface NamedBucket {
  scope: LimitScope
  /** A category, or `all`. */
  name: string
  bucket: TokenBucket
}

/**
 * `clock`: the clock of the buckets. Each of `processCount` processes counts everything that many times, so
 * that together they accept what the limits allow, if they receive equal shares.
 */
export function createRequestLimits(
  scopes: readonly LimitScope[],
  { clock, processCount }: { clock: () => number; processCount: number },
): RequestLimits {
  function costOf({ itemCount, batchCount = itemCount, quantity }: LimitQuestion, of: NamedBucket): number {
    const ofAll = of.scope.countsBatches === true ? batchCount : itemCount
    return (of.name === 'all' ? ofAll : quantity) * processCount
  }

  const bucketsFor = (category: string): NamedBucket[] =>
    scopes.flatMap((scope) =>
      [category, 'all'].flatMap((name) => {
        const limit = scope.limits[name]
        return limit === undefined ? [] : [{ scope, name, bucket: bucketOf(scope, name, limit) }]
      }),
    )

  /** A changed limit starts full, so that raising a limit takes effect immediately. */
  function bucketOf({ buckets }: LimitScope, name: string, limit: RateLimit): TokenBucket {
    const known = buckets.get(name)
    if (known !== undefined && isSameLimit(known.limit, limit)) return known
    const bucket = createTokenBucket(limit, clock())
    buckets.set(name, bucket)
    return bucket
  }

  /** Quantities larger than their buckets, without what was returned: they count only partly. */
  const oversized = new Map<TokenBucket, number>()

  return {
    findReachedLimit() {
      const now = clock()
      const reached = bucketsFor('all').find(({ bucket }) => remainingWaitMs(bucket, now) > 0)
      return reached?.scope.reason
    },
    take(question) {
      const now = clock()
      const buckets = bucketsFor(question.category)
      for (const named of buckets) {
        if (findWaitMs(named.bucket, costOf(question, named), now) > 0) return named.scope.reason
      }
      for (const named of buckets) {
        const cost = costOf(question, named)
        takeTokens(named.bucket, cost)
        if (cost > named.bucket.limit.quantity) oversized.set(named.bucket, cost)
      }
      return undefined
    },
    refund(question) {
      for (const named of bucketsFor(question.category)) {
        if (named.scope.reason === 'address_limit') continue
        const cost = costOf(question, named)
        const taken = oversized.get(named.bucket)
        giveTokensBack(named.bucket, cost, taken ?? cost)
        if (taken !== undefined) oversized.set(named.bucket, taken - cost)
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

function isSameLimit(one: RateLimit, other: RateLimit): boolean {
  return one.quantity === other.quantity && one.windowSeconds === other.windowSeconds
}
