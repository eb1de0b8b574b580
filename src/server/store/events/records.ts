import type { EventType, Level } from '#protocol/event.ts'
import type { ProjectName } from '#server/store/projects/records.ts'

/** The position of an event among the stored events of its issue, oldest first. */
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

/** A file attached to an event. */
export interface AttachmentSummary {
  /** Its number among the event's files, from 1; part of the download URL. */
  number: number
  name: string
  /** As the sender says; it may be anything. */
  contentType: string
  byteCount: number
}

/** User feedback about an event. The texts may be empty. */
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
  /** Of its issue. */
  type: EventType
  occurredAt: number
  /** True if its SDK sends the spans of its trace; absent if the SDK does not decide it. */
  isTraceSampled?: boolean
}

export const expiryReasons = ['age', 'count', 'bytes', 'deleted'] as const

/** The limit that an event was deleted for, or the deletion of its issue by a user. */
export type ExpiryReason = (typeof expiryReasons)[number]

/** An event that was kept and has been deleted by retention. */
export interface ExpiredEvent {
  projectName: string
  expiredAt: number
  reason: ExpiryReason
}
