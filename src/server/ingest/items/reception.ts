import type { ProjectRules } from '#server/ingest/project-rules.ts'
import type { EventMemory } from '#server/normalize/event-memory.ts'
import type { MappedPlaces } from '#server/source-maps/mapped-place.ts'

/** What is known about an event besides its payload. */
export interface Reception {
  projectId: number
  /** Unix milliseconds. */
  receivedAt: number
  clientAddress?: string
  /** Of the HTTP request; browsers' SDKs leave it out of the event. */
  userAgent?: string
  rules: ProjectRules
  memory?: EventMemory
  /** The source of places that the event tells of; it is titled and grouped by that. */
  mappedPlaces?: MappedPlaces
}
