import type { ProjectName } from '#server/store/projects/records.ts'
import type { TraceSegment } from '#traces/span.ts'

/** A segment as it is stored. */
export interface StoredSegment {
  project: ProjectName
  /** Unix milliseconds. */
  receivedAt: number
  segment: TraceSegment
}
