import type { ProjectName } from '#server/store/projects/records.ts'
import type { TraceSegment } from '#traces/span.ts'

/** A stored segment. */
export interface StoredSegment {
  project: ProjectName
  /** Unix milliseconds. */
  receivedAt: number
  segment: TraceSegment
}

/** Names a trace, or a transaction in it. */
export interface FoundTrace {
  /** 32 lower-case hex digits. */
  traceId: string
  /** The root span of the transaction; absent for the trace itself. */
  spanId?: string
}
