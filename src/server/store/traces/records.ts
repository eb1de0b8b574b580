import type { ProjectName } from '#server/store/projects/records.ts'
import type { TraceSegment } from '#traces/span.ts'

/** A stored segment. */
export interface StoredSegment {
  project: ProjectName
  /** Unix milliseconds. */
  receivedAt: number
  segment: TraceSegment
}
