import type { EnvelopeItem } from '#protocol/envelope.ts'
import { itemQuantity } from '#protocol/item-quantity.ts'
import { listFilteredSegments } from '#server/ingest/items/span.ts'
import { findFilteredTransaction } from '#server/ingest/items/transaction.ts'
import type { EnvelopeState } from './envelope-state.ts'

/** Counts a transaction: as filtered with a sample, or as not stored. */
export function addTransaction(state: EnvelopeState, item: EnvelopeItem): void {
  const filtered = findFilteredTransaction(item.payload, state.context)
  if (filtered === undefined) {
    state.loseUnsupported(item)
    return
  }
  state.requireEventId()
  state.filtered ??= filtered
  const { eventId } = state.envelope.header
  const sample = { ...filtered.sample, ...(eventId !== undefined && { eventId }) }
  state.addFiltered({ ...filtered, sample })
}

/** Counts the spans of an item: those of filtered root spans with a sample, the others as not stored. */
export function addSpans(state: EnvelopeState, item: EnvelopeItem): void {
  const segments = listFilteredSegments(item.payload, state.context)
  for (const segment of segments) state.addFiltered(segment)
  const filteredCount = segments.reduce((sum, { quantity }) => sum + quantity, 0)
  const otherCount = itemQuantity(item) - filteredCount
  if (otherCount > 0) state.countInvalid('span', 'feature_disabled', otherCount)
}
