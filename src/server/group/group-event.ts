import type { Event } from '#protocol/event.ts'
import type { FrameCache } from '#server/normalize/frame-cache.ts'
import type { Grouping } from './grouping.ts'
import { groupByV2 } from './mechanisms/v2.ts'
import { groupByTrace } from './shared-trace.ts'

/**
 * Determines the issue of an event, by the newest released mechanism.
 *
 * Never throws, and returns the same for the same event, on every machine and in every later version: a
 * released mechanism is not edited, changes become `v3`.
 */
export function groupEvent(event: Event, cache?: FrameCache): Grouping {
  return cache === undefined ? groupByV2(event) : groupByTrace(event, groupByV2, cache)
}
