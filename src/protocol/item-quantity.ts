import type { EnvelopeItem } from './envelope.ts'

/** How many things an item stands for: logs, metrics and spans come many to an item, and its header says how many. */
export function itemQuantity(item: EnvelopeItem): number {
  const count = item.header['item_count']
  if (typeof count !== 'number' || !Number.isSafeInteger(count) || count < 1) return 1
  // No entry is shorter than two bytes and a comma: a count beyond that is made up.
  return Math.min(count, Math.max(1, Math.ceil(item.payload.byteLength / 3)))
}
