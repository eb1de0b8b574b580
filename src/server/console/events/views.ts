import type { Event } from '#protocol/event.ts'
import type { IssueChoicesView } from '#server/console/issues/triage-views.ts'
import type { SmallTraceView } from '#server/console/traces/views.ts'
import type { SourceMapProblem } from '#server/store/artifacts/records.ts'
import type {
  EventPosition,
  AttachmentSummary,
  StoredFeedback,
  EventReference,
  ExpiredEvent,
} from '#server/store/events/records.ts'
import type { IssueSummary, TagDistribution } from '#server/store/issues/records.ts'
import type { FoundTrace } from '#server/store/traces/records.ts'

export interface EventView {
  now: number
  event: Event
  issue: IssueSummary
  position: EventPosition
  attachments: AttachmentSummary[]
  /** Newest first. */
  feedback: StoredFeedback[]
  /** The event that this feedback is about, once it is stored. */
  aboutEventId?: string
  /** Other events of the same trace, in every project that the viewer has access to, earliest first. */
  traceEvents: EventReference[]
  /** The spans around the event in its trace; absent if none is stored. */
  trace?: SmallTraceView
  /** True if its SDK sends the spans of the trace; absent if the SDK does not decide it. */
  isTraceSampled?: boolean
  /** Why some frames have no source; empty if there are no problems. */
  sourceMapProblems: SourceMapProblem[]
}

/** The page of one event. */
export interface EventPageView extends EventView {
  /** True if the viewer may resolve, archive and reopen its issue. */
  canTriage: boolean
  choices: IssueChoicesView
  /** The tags of all events of its issue. */
  tags: TagDistribution[]
}

/** An item that a filter dropped and that is stored as a sample. */
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
  /** Without a match: the trace with this id, or of the transaction with it. */
  trace?: FoundTrace
  /** Without a match: the deleted event with this id. */
  expired?: ExpiredEvent
  /** Without a match: items with this id that a filter dropped, newest first, if their samples are stored. */
  dropped?: DroppedItem[]
}
