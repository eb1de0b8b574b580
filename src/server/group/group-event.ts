import type { Event } from '#protocol/event.ts'
import type { FrameMemory } from '#server/normalize/frame-memory.ts'
import type { Grouping } from './grouping.ts'
import { groupByV1 } from './mechanisms/v1.ts'
import { groupByTrace } from './shared-trace.ts'

/**
 * Decides which issue an event belongs to, by the newest released mechanism.
 *
 * Never throws and answers the same for the same event, on every machine and in every later version: a
 * mechanism is not edited once released, changes become `v2`.
 */
export function groupEvent(event: Event, memory?: FrameMemory): Grouping {
  return memory === undefined ? groupByV1(event) : groupByTrace(event, groupByV1, memory)
}
