import type { TraceSegment } from '#traces/span.ts'

/** A segment as it is stored. */
export interface StoredSegment {
  projectId: number
  /** Unix milliseconds. */
  receivedAt: number
  segment: TraceSegment
}

/** An error of a trace. */
export interface TraceEvent {
  projectId: number
  /** 32 lower-case hex digits. */
  eventId: string
  issueId: number
  /** Unix milliseconds. */
  occurredAt: number
  level: string
  title: string
  subtitle: string
}
