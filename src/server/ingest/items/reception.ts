import type { ProjectRules } from '#server/ingest/project-rules.ts'
import type { EventCache } from '#server/normalize/event-cache.ts'
import type { MappedLocations } from '#server/source-maps/mapped-location.ts'
import type { RootReference } from '#server/store/traces/root-names.ts'
import type { PageNames } from './page-names.ts'
import type { ProblemPace } from './problem-pace.ts'

/** Metadata of an event outside its payload. */
export interface Reception {
  projectId: number
  /** Unix milliseconds. */
  receivedAt: number
  clientAddress?: string
  /** The header of the HTTP request; browser SDKs omit it from the event. */
  userAgent?: string
  /** Maximum bytes of spans that are parsed; by default `limits.spanItemBytes`. */
  spanBytes?: number | undefined
  rules: ProjectRules
  cache?: EventCache
  /** Limits the performance problems that become events. */
  problemPace?: ProblemPace
  /** Names pages whose spans arrive without their root span. */
  pageNames?: PageNames
  /** Receives the pages whose names are not remembered. */
  unknownPages?: RootReference[]
  /** Source locations of the event's frames; used for its title and grouping. */
  mappedLocations?: MappedLocations
}
