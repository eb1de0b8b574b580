import type { LimitedCount } from '#server/rate-limit/limit-items.ts'
import type { OutcomeCount } from '#server/store/event-record.ts'
import type { Reception } from './event-item.ts'

/** The outcome of what a limit left out. */
export function toLimitedCount(
  { category, quantity, reason }: LimitedCount,
  { projectId, receivedAt }: Pick<Reception, 'projectId' | 'receivedAt'>,
): OutcomeCount {
  return { projectId, category, outcome: 'rate_limited', reason, quantity, at: receivedAt }
}
