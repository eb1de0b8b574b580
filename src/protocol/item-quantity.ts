import type { EnvelopeItem } from './envelope.ts'

/**
 * Returns the number of entries in an item: logs, metrics and spans are batched, and the item header has the
 * count.
 */
export function itemQuantity(item: EnvelopeItem): number {
  const count = item.header['item_count']
  if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 1) return 1
  // An entry has at least two bytes and a comma, so a larger count is invalid.
  return Math.min(count, Math.max(1, Math.ceil(item.payload.byteLength / 3)))
}
