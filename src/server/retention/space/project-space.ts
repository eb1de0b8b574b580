import type { StoredSpace } from '#server/store/projects/space.ts'
import type { ProjectSpace } from './plan.ts'

/** The size of every project in the database. */
export interface ProjectSpaces {
  projects: ProjectSpace[]
  /** Bytes of an event without its payload: its row, and its share of issues, tags, users and indexes. */
  bytesPerEvent: number
}

/**
 * Attributes all bytes in use to projects. Bytes that belong to no counted row are attributed to the projects
 * by their number of events.
 */
export function toProjectSpaces(stored: readonly StoredSpace[], usedBytes: number): ProjectSpaces {
  const countedBytes = stored.reduce((sum, each) => sum + sumOfStored(each), 0)
  const eventCount = stored.reduce((sum, each) => sum + each.eventCount, 0)
  const bytesPerEvent = eventCount === 0 ? 0 : Math.max(0, usedBytes - countedBytes) / eventCount
  return { bytesPerEvent, projects: stored.map((each) => toProjectSpace(each, bytesPerEvent)) }
}

function sumOfStored(stored: StoredSpace): number {
  const { eventBytes, outboxBytes, attachmentBytes, deadLetterBytes, otherBytes } = stored
  return eventBytes + outboxBytes + attachmentBytes + deadLetterBytes + otherBytes
}

function toProjectSpace(stored: StoredSpace, bytesPerEvent: number): ProjectSpace {
  return {
    projectId: stored.projectId,
    kinds: {
      outbox: stored.outboxBytes,
      attachments: stored.attachmentBytes,
      deadLetters: stored.deadLetterBytes,
      events: stored.eventBytes + stored.eventCount * bytesPerEvent,
    },
    fixedBytes: stored.otherBytes,
  }
}
