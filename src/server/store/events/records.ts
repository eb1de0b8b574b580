import type { EventType, Level } from '#protocol/event.ts'
import type { ProjectName } from '#server/store/projects/records.ts'

/** The position of an event among the stored events of its issue, oldest first. */
export interface EventPosition {
  previousEventId?: string
  nextEventId?: string
  firstEventId: string
  latestEventId: string
  /** Stored events before it; absent if there are more than `limits.countedPosition`. */
  earlierCount?: number
  /** Stored events after it; absent if there are more than `limits.countedPosition`. */
  laterCount?: number
}

/** A file attached to an event. */
export interface AttachmentSummary {
  /** Its number among the event's files, from 1; part of the download URL. */
  number: number
  name: string
  /** As declared by the sender; it can be any text. */
  contentType: string
  byteCount: number
}

/** User feedback about an event. The texts may be empty. */
export interface StoredFeedback {
  /** The feedback is itself an event. */
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
  /** The issue's title. */
  title: string
  /** The issue's subtitle; may be empty. */
  subtitle: string
  level: Level
  /** The issue's type. */
  type: EventType
  occurredAt: number
  /** True if its SDK sends the spans of its trace; absent if the SDK does not decide it. */
  isTraceSampled?: boolean
}

export const expiryReasons = ['age', 'count', 'bytes', 'deleted'] as const

/** The limit that caused an event's deletion, or the deletion of its issue by a user. */
export type ExpiryReason = (typeof expiryReasons)[number]

/** An event that retention has deleted. */
export interface ExpiredEvent {
  projectName: string
  expiredAt: number
  reason: ExpiryReason
}
