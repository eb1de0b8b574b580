import type { Event, Level } from '#protocol/event.ts'
import type { SourceMapProblem } from '#server/store/artifacts/views.ts'
import type { IssueSummary } from '#server/store/issues/views.ts'
import type { ProjectName } from '#server/store/projects/list-views.ts'
import type { IssueChoicesView } from '#server/store/triage/views.ts'

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
export interface AttachmentView {
  /** Its place among the event's files, from 1; it stands in the address of the download. */
  number: number
  name: string
  /** As the sender says; it may be anything. */
  contentType: string
  byteCount: number
}

/** What somebody wrote about an event. The texts may be empty. */
export interface FeedbackView {
  /** The feedback is an event too. */
  eventId: string
  receivedAt: number
  name: string
  email: string
  message: string
}

export interface EventView {
  now: number
  event: Event
  issue: IssueSummary
  position: EventPosition
  attachments: AttachmentView[]
  /** Newest first. */
  feedback: FeedbackView[]
  /** The event that this one is feedback about, once that is here. */
  aboutEventId?: string
  /** Other events of the same trace, in every project that the viewer reaches, earliest first. */
  traceEvents: EventReference[]
  /** Why code that it tells of has no source; empty where there is nothing to tell. */
  sourceMapProblems: SourceMapProblem[]
}

/** The page of one event. */
export interface EventPageView extends EventView {
  /** The viewer may resolve, archive and reopen its issue. */
  mayTriage: boolean
  choices: IssueChoicesView
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

/** An item that a filter dropped, of which a sample is stored. */
export interface DroppedItem {
  /** Unique among all samples. */
  sampleId: string
  projectName: string
  /** The filter. */
  reason: string
  title: string
  receivedAt: number
}

export interface DigestView {
  now: number
  digest: string
  /** Newest first. */
  matches: EventReference[]
  /** Without a match: the event that would have been one. */
  expired?: ExpiredEvent
  /** Without a match: what a filter dropped under this id, newest first; its samples are stored. */
  dropped?: DroppedItem[]
}
