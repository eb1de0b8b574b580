import type { EventType, Level } from '#protocol/event.ts'
import type { JsonObject } from '#protocol/json.ts'
import type { OutcomeKind } from '#protocol/outcome.ts'
import type { FigureRecord } from '#server/store/figures/records.ts'
import type { QueuedCheckIn } from '#server/store/monitors/records.ts'
import type { SpikeProtectionSettings } from '#server/store/projects/settings.ts'
import type { SessionCommit, SessionItem } from '#server/store/sessions/record.ts'

/** A stored event: its payload, and the columns by which it is searched and counted. */
export interface EventRecord {
  projectId: number
  /** 32 lower-case hex digits. */
  eventId: string
  /** Relay's data category, under which the event's outcome is counted: `error`, `default`, `security` … */
  category: string
  /** 32 lower-case hex digits. Events of a project with the same hash belong to one issue. */
  groupHash: string
  /** Version of the grouping mechanism that computed `groupHash`. */
  mechanism: string
  /** Its hash by the previous mechanism: the event belongs to the issue with that hash, if there is one. */
  earlierGroupHash?: string
  type: EventType
  title: string
  subtitle: string
  culprit: string
  /** Further text of the event by which its issue is found, in addition to title, subtitle and culprit. */
  message?: string
  level: Level
  platform: string
  logger?: string
  /** When the event occurred, by the SDK's clock. Unix milliseconds. */
  occurredAt: number
  /**
   * When the server received it. Orders the events of an issue, and decides first and last seen. Unix
   * milliseconds.
   */
  receivedAt: number
  environment: string
  release?: string
  transaction?: string
  /** 32 lower-case hex digits. */
  traceId?: string
  /** True if the SDK sends the spans of the trace; absent if the SDK does not decide it. */
  isTraceSampled?: boolean
  /** The affected user, for counting distinct users: `id:7`. Outside the payload, only a hash is stored. */
  userKey?: string
  clientAddress?: string
  /** Digests that another framework displayed for the event, by which it can be looked up. */
  digests?: string[]
  /** Set for user feedback about another event, which shows it, too. */
  feedback?: FeedbackRecord
  /** At most one value per key, counted per issue. `environment` is counted from its own field. */
  tags: [key: string, value: string][]
  /** Search text of the issue in addition to tags: a line for each word and value, separated by a tab. */
  traits?: string
  /** JSON: the event item's bytes as received, or serialized again if it was scrubbed. */
  payload: Uint8Array
  /** The project's settings of spike protection; absent if every event is stored. */
  spikeProtection?: SpikeProtectionSettings
  /** True for an event imported from another tracker: its issue causes no alert. */
  isImported?: true
}

/** User feedback about an event. The texts may be empty. */
export interface FeedbackRecord {
  /** The event that the feedback is about, 32 lower-case hex digits. It may arrive later. */
  aboutEventId: string
  name: string
  email: string
  message: string
}

/** A file that belongs to an event, which may arrive later. */
export interface AttachmentRecord {
  projectId: number
  /** 32 lower-case hex digits. */
  eventId: string
  name: string
  /** A media type. */
  contentType: string
  /** The type by the SDK: `event.attachment`, `event.view_hierarchy` … */
  kind: string
  /** Unix milliseconds. */
  receivedAt: number
  /** The size of the file, uncompressed. */
  byteCount: number
  /** 32 lower-case hex digits: a hash of the file's bytes. */
  contentHash: string
  /** The file as one zstd frame. */
  data: Uint8Array
}

/** A segment of a trace, stored as one row: spans that arrived together, or a filtered segment's marker. */
export interface TraceRecord {
  projectId: number
  /**
   * Relay's data category, and the quantity counted under it: 1 transaction, or a number of spans; 0 if they
   * were counted before.
   */
  category: 'transaction' | 'span'
  quantity: number
  /** 32 lower-case hex digits. */
  traceId: string
  /** Of a transaction: the id that its SDK has for it, 32 lower-case hex digits. */
  eventId?: string
  /** 16 lower-case hex digits: the root span, or the first span if the root is in another segment. */
  spanId: string
  isRoot: boolean
  /** Unix milliseconds. */
  startedAt: number
  /** The duration of the root span, or from the start of the first span to the end of the last one. */
  durationUs: number
  spanCount: number
  op: string
  name: string
  isError: boolean
  environment: string
  release?: string
  /** Unix milliseconds. */
  receivedAt: number
  /** JSON, written by `writeSegmentBody`. */
  payload: Uint8Array
}

/** A number of items of a project with the same outcome. */
export interface OutcomeCount {
  projectId: number
  /** Relay's data category. */
  category: string
  outcome: OutcomeKind
  /** The reason; empty for `accepted`. */
  reason: string
  quantity: number
  /** Unix milliseconds; counted in the hour it falls into. */
  at: number
}

/**
 * An item that our own code could not process, kept raw for inspection. Raw means unscrubbed: code that
 * failed on an item cannot be trusted to have scrubbed it.
 */
export interface DeadLetter {
  projectId: number
  /** The item type in the item's header. */
  itemType: string
  /** Relay's data category, under which its outcome is counted. */
  category: string
  reason: string
  /** Unix milliseconds. */
  receivedAt: number
  /** Metadata needed for a retry. */
  origin?: DeadLetterOrigin
  /** As received, unscrubbed. */
  payload: Uint8Array
}

/** Metadata of an item outside its bytes. */
export interface DeadLetterOrigin {
  /** From its envelope, or assigned on receipt: 32 lower-case hex digits. */
  eventId?: string
  /** When its envelope was sent, by the sender's clock. Unix milliseconds. */
  sentAt?: number
  itemHeader?: JsonObject
  clientAddress?: string
  userAgent?: string
}

/** Names a dead letter. */
export interface DeadLetterReference {
  projectId: number
  id: string
}

/**
 * A filtered item, or a rejected request. The store keeps the newest few of each day, so that users can check
 * the effect of a filter.
 */
export interface FilterSample {
  projectId: number
  /** The reason under which it is counted: of `filtered`, or one of `rejectionReasons` of `invalid`. */
  reason: string
  /** Relay's data category. */
  category: string
  /** Unix milliseconds. */
  receivedAt: number
  /** One line. */
  title: string
  /** Empty if unknown. */
  environment: string
  release?: string
  /** 32 lower-case hex digits. */
  eventId?: string
  /** 32 lower-case hex digits. */
  traceId?: string
  /** JSON; left out if it exceeds `limits.filterSampleBytes`. */
  payload: Uint8Array
}

/** Names an upstream of a project. */
export interface UpstreamReference {
  projectId: number
  upstreamId: string
}

/** An envelope to be forwarded. */
export interface OutboxEntry extends UpstreamReference {
  /** Relay's data category, by which an upstream's rate limit applies to it. */
  category: string
  /** Unix milliseconds. */
  receivedAt: number
  clientAddress?: string
  userAgent?: string
  /** The forwarded bytes: unscrubbed. */
  body: Uint8Array
}

/** The result of an envelope in the outbox: delivered, or rejected permanently. */
export interface DeliveryResult extends UpstreamReference {
  number: number
  /**
   * `at`: Unix milliseconds. `body`: the bytes of the envelope, stored until a user retries or deletes it;
   * absent if they cannot be read.
   */
  rejected?: { at: number; problem: string; body?: Uint8Array }
}

/** The persistent state of an upstream's sender; see `UpstreamState`. */
export interface UpstreamStateRecord extends UpstreamReference {
  /** JSON */
  state: string
}

/** The contents of one envelope. Committed as a whole. */
export interface CommitEntry {
  events: EventRecord[]
  /**
   * Outcomes of everything but `events`, `attachments`, `traces` and `sessions`, which the committer counts:
   * as `accepted` (an event above its spike limit with the reason `spike_protection`, and its attachments as
   * `rate_limited`), or as `invalid` with the reason `duplicate` or `internal` for an event, `too_large` for
   * an attachment.
   */
  outcomes: OutcomeCount[]
  deadLetters: DeadLetter[]
  /** Samples of filtered items; the items are counted in `outcomes`. */
  samples?: FilterSample[]
  /**
   * The dead letter that this entry is a retry of: deleted and uncounted in the same transaction. If it no
   * longer exists, nothing of the entry is written.
   */
  retryOf?: DeadLetterReference & Pick<DeadLetter, 'category' | 'receivedAt'>
  /** Dropped if duplicate or over the event's quota. */
  attachments?: AttachmentRecord[]
  /** Segments of traces. Counted by the committer: `accepted`. */
  traces?: TraceRecord[]
  /** Figures of all received spans, also of those that `traces` leaves out. */
  figures?: FigureRecord[]
  /** One or more session updates. Counted by the committer: `accepted`, or `abuse` if surplus. */
  sessions?: SessionItem[]
  /** Queued for the clock of the monitors, which counts them. */
  checkIns?: QueuedCheckIn[]
  /**
   * Copies for the project's upstreams. Not written if all events of the entry are duplicates, which have
   * already been forwarded.
   */
  outbox?: OutboxEntry[]
  /** Results of forwarded envelopes. */
  deliveryResults?: DeliveryResult[]
  /** The states of upstreams. */
  upstreamStates?: UpstreamStateRecord[]
}

/**
 * The result for an event: `counted` if its issue exceeded its spike limit and only counters were updated,
 * `duplicate` if the project already has its id, `discarded` if a user deleted its issue and discards future
 * events, `dead_letter` if it could not be written and was stored as a dead letter.
 */
export type EventCommit = 'accepted' | 'counted' | 'duplicate' | 'discarded' | 'dead_letter'

export interface CommitResult {
  /** True if the dead letter of the entry no longer exists, so nothing was written. */
  isGone?: true
  /** In the order of `CommitEntry.events`. */
  events: EventCommit[]
  /** In the order of `CommitEntry.sessions`; absent where there are none. */
  sessions?: SessionCommit[]
}
