import { itemCategory } from '#protocol/data-category.ts'
import type { EnvelopeItem } from '#protocol/envelope.ts'
import { itemQuantity } from '#protocol/item-quantity.ts'
import type { AdvertisedRateLimit } from '#protocol/rate-limits.ts'
import { limits } from '#server/limits.ts'

/** The categories that are dropped first under overload, so that errors are stored. */
const traceCategories: readonly string[] = ['transaction', 'span']

/** The reason of the outcomes `rate_limited`. */
const reason = 'overload'

/** An envelope's items without its traces, and the number of dropped ones. */
export interface ShedItems {
  kept: EnvelopeItem[]
  shed: { category: string; quantity: number; reason: string }[]
}

/** Leaves out transactions and spans. */
export function shedTraces(items: readonly EnvelopeItem[]): ShedItems {
  return {
    kept: items.filter((item) => !isTrace(item)),
    shed: items
      .filter(isTrace)
      .map((item) => ({ category: itemCategory(item.type), quantity: itemQuantity(item), reason })),
  }
}

/** The advertised rate limits: SDKs stop sending traces, but still send errors. */
export const shedRateLimits: readonly AdvertisedRateLimit[] = traceCategories.map((category) => ({
  retryAfterSeconds: limits.traceShedSeconds,
  category,
  scope: 'organization',
  reason,
}))

function isTrace({ type }: EnvelopeItem): boolean {
  return traceCategories.includes(itemCategory(type))
}
