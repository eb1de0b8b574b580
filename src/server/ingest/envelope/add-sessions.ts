import type { EnvelopeItem } from '#protocol/envelope.ts'
import { itemQuantity } from '#protocol/item-quantity.ts'
import { toAggregatesResult, toSessionResult, type SessionResult } from '#server/ingest/items/session.ts'
import { limits } from '#server/limits.ts'
import type { EnvelopeState } from './envelope-state.ts'

/** Adds a session, or an item of aggregated sessions. */
export function addSessions(state: EnvelopeState, item: EnvelopeItem): void {
  state.sessionItemCount += 1
  const result = toResult(state, item)
  const quantity = itemQuantity(item)
  const { projectId, receivedAt } = state.context
  switch (result.kind) {
    case 'counted':
      state.work.sessions ??= []
      state.work.sessions.push({ projectId, receivedAt, quantity, reports: result.reports })
      break
    case 'filtered':
      state.count({ category: 'session', outcome: 'filtered', reason: result.reason, quantity })
      break
    case 'invalid':
      state.countInvalid('session', result.reason, quantity)
      break
  }
}

function toResult({ sessionItemCount, envelope, context }: EnvelopeState, item: EnvelopeItem): SessionResult {
  if (sessionItemCount > limits.sessionsPerEnvelope) return { kind: 'invalid', reason: 'too_large' }
  const { sentAt } = envelope.header
  const origin = { reception: context, sentAt }
  return item.type === 'sessions' ? toAggregatesResult(item, origin) : toSessionResult(item, origin)
}
