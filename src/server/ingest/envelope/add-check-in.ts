import type { EnvelopeItem } from '#protocol/envelope.ts'
import { toCheckInItemResult } from '#server/ingest/items/check-in.ts'
import { limits } from '#server/limits.ts'
import type { EnvelopeState } from './envelope-state.ts'

/** Adds a check-in of a monitor. The clock of the monitors counts it as accepted or invalid. */
export function addCheckIn(state: EnvelopeState, item: EnvelopeItem): void {
  const { work, context } = state
  work.checkIns ??= []
  const result = toCheckInItemResult(item, context)
  if (work.checkIns.length >= limits.checkInsPerEnvelope) state.countInvalid('monitor', 'too_large')
  else if (result.ok) work.checkIns.push(result.queued)
  else state.countInvalid('monitor', result.reason)
}
