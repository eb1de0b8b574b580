import type { EnvelopeItem } from '#protocol/envelope.ts'
import { itemQuantity } from '#protocol/item-quantity.ts'
import { toAggregatesEnd, toSessionEnd, type SessionEnd } from '#server/ingest/items/session.ts'
import { limits } from '#server/limits.ts'
import type { EnvelopeState } from './envelope-state.ts'

/** Adds a session, or an item of aggregated sessions. */
export function addSessions(state: EnvelopeState, item: EnvelopeItem): void {
  state.sessionItemCount += 1
  const end = toEnd(state, item)
  const quantity = itemQuantity(item)
  const { projectId, receivedAt } = state.context
  switch (end.kind) {
    case 'counted':
      state.work.sessions ??= []
      state.work.sessions.push({ projectId, receivedAt, quantity, reports: end.reports })
      break
    case 'filtered':
      state.count({ category: 'session', outcome: 'filtered', reason: end.reason, quantity })
      break
    case 'invalid':
      state.countInvalid('session', end.reason, quantity)
      break
  }
}

function toEnd({ sessionItemCount, envelope, context }: EnvelopeState, item: EnvelopeItem): SessionEnd {
  if (sessionItemCount > limits.sessionsPerEnvelope) return { kind: 'invalid', reason: 'too_large' }
  const { sentAt } = envelope.header
  const origin = { reception: context, sentAt }
  return item.type === 'sessions' ? toAggregatesEnd(item, origin) : toSessionEnd(item, origin)
}
