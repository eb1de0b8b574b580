import type { Event } from '#protocol/event.ts'
import type { FrameMemory } from '#server/normalize/frame-memory.ts'
import { groupByV1 } from './mechanisms/v1.ts'
import { groupByTrace } from './shared-trace.ts'

/** Which part of the event decided where it belongs, strongest first. */
export type GroupingSource =
  | 'fingerprint'
  | 'checksum'
  | 'exception'
  | 'threads'
  | 'template'
  | 'csp'
  | 'security'
  | 'feedback'
  | 'message'
  | 'fallback'

export interface Grouping {
  /** 32 lower-case hex digits; events of one project with equal hashes are one issue. */
  hash: string
  /** The mechanism that made the hash, stored with it: hashes of different mechanisms are not comparable. */
  mechanism: 'v1'
  source: GroupingSource
}

/**
 * Decides which issue an event belongs to, by the newest released mechanism.
 *
 * Never throws and answers the same for the same event, on every machine and in every later version: a
 * mechanism is not edited once released, changes become `v2`.
 */
export function groupEvent(event: Event, memory?: FrameMemory): Grouping {
  return memory === undefined ? groupByV1(event) : groupByTrace(event, groupByV1, memory)
}
