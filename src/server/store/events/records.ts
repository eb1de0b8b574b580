import type { Level } from '#protocol/event.ts'
import type { ProjectName } from '#server/store/projects/records.ts'

/** Where an event stands among the kept events of its issue, oldest first. */
export interface EventPosition {
  previousEventId?: string
  nextEventId?: string
  firstEventId: string
  latestEventId: string
  /** Kept events before it; absent when there are more than `limits.countedPosition`. */
  earlierCount?: number
  /** Kept events behind it; absent when there are more than `limits.countedPosition`. */
  laterCount?: number
}

/** A file that came with an event. */
export interface AttachmentSummary {
  /** Its place among the event's files, from 1; it stands in the address of the download. */
  number: number
  name: string
  /** As the sender says; it may be anything. */
  contentType: string
  byteCount: number
}

/** What somebody wrote about an event. The texts may be empty. */
export interface StoredFeedback {
  /** The feedback is an event too. */
  eventId: string
  receivedAt: number
  name: string
  email: string
  message: string
}

export interface EventReference {
  eventId: string
  issueId: string
  project: ProjectName
  /** Of its issue. */
  title: string
  /** Of its issue; may be empty. */
  subtitle: string
  level: Level
  occurredAt: number
}

export const expiryReasons = ['age', 'count', 'bytes', 'deleted'] as const

/** Which limit an event was deleted for; or somebody deleted its issue. */
export type ExpiryReason = (typeof expiryReasons)[number]

/** An event that was kept and has been deleted by retention. */
export interface ExpiredEvent {
  projectName: string
  expiredAt: number
  reason: ExpiryReason
}
