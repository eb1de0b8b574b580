import type { EnvelopeItem } from '#protocol/envelope.ts'
import { itemQuantity } from '#protocol/item-quantity.ts'
import { toDiscardCounts } from '#server/ingest/items/client-report.ts'
import { addEvent, addSecurityReports, addUserReport, rejectLargeEvent } from './add-event.ts'
import { addSessions } from './add-sessions.ts'
import { addSpans, addTransaction } from './add-traces.ts'
import { eventItemTypes, type EnvelopeState } from './envelope-state.ts'

const adders: Readonly<Record<string, (state: EnvelopeState, item: EnvelopeItem) => void>> = {
  event: addEvent,
  security: addEvent,
  feedback: addEvent,
  user_report_v2: addEvent,
  raw_security: addSecurityReports,
  user_report: addUserReport,
  client_report: ({ work, context }, { payload }) => {
    work.outcomes.push(...toDiscardCounts(payload, context))
  },
  transaction: addTransaction,
  span: addSpans,
  session: addSessions,
  sessions: addSessions,
  // Added after all other items.
  attachment: ({ attachmentItems }, item) => void attachmentItems.push(item),
}

/** Adds an item to the work of its envelope. An item on which this throws becomes a dead letter. */
export function addItem(state: EnvelopeState, item: EnvelopeItem): void {
  state.guard(item, () => {
    if (!state.budget.allows(item)) loseUnread(state, item)
    else if (Object.hasOwn(adders, item.type)) adders[item.type]?.(state, item)
    else state.loseUnsupported(item)
  })
}

/** Counts an item that is not read, because it or its envelope is too large. */
function loseUnread(state: EnvelopeState, item: EnvelopeItem): void {
  const { type } = item
  const isEvent = eventItemTypes.has(type) && type !== 'transaction'
  // A client report counts other items and is not counted itself.
  if (type === 'client_report') return
  if (isEvent && state.hasEvent) state.lose(item, 'duplicate_item')
  else if (isEvent) rejectLargeEvent(state, item)
  else if (type === 'transaction' || type === 'span') state.loseUnsupported(item)
  else state.lose(item, 'too_large', itemQuantity(item))
}

/** Counts an item after one that exceeded its time. */
export function loseAfterFailure(state: EnvelopeState, item: EnvelopeItem): void {
  if (item.type !== 'client_report') state.lose(item, 'internal', itemQuantity(item))
}
