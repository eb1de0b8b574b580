import type { EnvelopeItem } from '#protocol/envelope.ts'
import { toSentAttachment } from '#server/ingest/items/attachment.ts'
import { toFilteredCount } from '#server/ingest/items/filtered.ts'
import { limits } from '#server/limits.ts'
import type { EnvelopeState } from './envelope-state.ts'

/** Adds the attachments after all other items, because they may precede their event. */
export function addAttachments(state: EnvelopeState): void {
  const { attachmentItems, context, filtered, lostFor, hasEvent } = state
  const quantity = attachmentItems.length
  const eventId = state.envelope.header.eventId ?? state.eventId
  if (quantity === 0) return
  if (filtered !== undefined)
    state.work.outcomes.push(
      toFilteredCount({ reason: filtered.reason, category: 'attachment', quantity }, context),
    )
  else if (lostFor !== undefined && !hasEvent) state.countInvalid('attachment', lostFor, quantity)
  else if (eventId === undefined) state.countInvalid('attachment', 'no_event_payload', quantity)
  else for (const item of attachmentItems) state.guard(item, () => addAttachment(state, item, eventId))
}

/** Counts the attachments as lost. */
export function loseAttachments(state: EnvelopeState): void {
  state.attachments.length = 0
  state.countInvalid('attachment', 'internal', state.attachmentItems.length)
}

function addAttachment(state: EnvelopeState, item: EnvelopeItem, eventId: string): void {
  const isFull = state.attachments.length === limits.attachmentsPerEvent
  if (isFull || item.payload.byteLength > limits.attachmentBytes)
    state.countInvalid('attachment', 'too_large')
  else state.attachments.push(toSentAttachment(item, eventId, state.context))
}
