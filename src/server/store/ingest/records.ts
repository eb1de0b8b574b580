import type { EventType, Level } from '#protocol/event.ts'
import type { JsonObject } from '#protocol/json.ts'
import type { OutcomeKind } from '#protocol/outcome.ts'
import type { FigureRecord } from '#server/store/figures/records.ts'
import type { QueuedCheckIn } from '#server/store/monitors/records.ts'
import type { SpikeProtectionSettings } from '#server/store/projects/settings.ts'
import type { SessionCommit, SessionItem } from '#server/store/sessions/record.ts'

/** A stored event: the columns it is searched and counted by, and the payload. */
export interface EventRecord {
  projectId: number
  /** 32 lower-case hex digits. */
  eventId: string
  /** Relay's data category, the one the event's outcome is counted under: `error`, `default`, `security` … */
  category: string
  /** 32 lower-case hex digits; events of a project with the same one belong to one issue. */
  groupHash: string
  /** Version of the grouping mechanism that made `groupHash`. */
  mechanism: string
  type: EventType
  title: string
  subtitle: string
  culprit: string
  /** Its text in addition to title, subtitle and culprit: its issue is found by it. */
  message?: string
  level: Level
  platform: string
  logger?: string
  /** When it happened by the SDK's clock. Unix milliseconds. */
  occurredAt: number
  /**
   * When the server read it. Orders the events of an issue, and decides first and last seen. Unix
   * milliseconds.
   */
  receivedAt: number
  environment: string
  release?: string
  transaction?: string
  /** 32 lower-case hex digits. */
  traceId?: string
  /** True if its SDK sends the spans of the trace; absent if the SDK does not decide it. */
  isTraceSampled?: boolean
  /** Who was affected, for counting distinct users: `id:7`. Only its hash is kept outside the payload. */
  userKey?: string
  clientAddress?: string
  /** Digests that another framework showed for it; a look-up finds the event by them. */
  digests?: string[]
  /** Set if the event is user feedback about another event: it is shown there, too. */
  feedback?: FeedbackRecord
  /** At most one value per key; counted per issue. `environment` is counted from the field above. */
  tags: [key: string, value: string][]
  /** Search text of its issue in addition to tags: a line for each word and value, separated by a tab. */
  traits?: string
  /** JSON: the event item's bytes as received, or serialized again if it was scrubbed. */
  payload: Uint8Array
  /** When it is only counted; absent where every event is kept. */
  spikeProtection?: SpikeProtectionSettings
  /** From another tracker: its issue is not news, and causes no alert. */
  isImported?: true
}

/** User feedback about an event. The texts may be empty. */
export interface FeedbackRecord {
  /** The event it is about, 32 lower-case hex digits. It may not be here yet. */
  aboutEventId: string
  name: string
  email: string
  message: string
}

/** A file that belongs to an event, which may not be here yet. */
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
  /** Of the file itself. */
  byteCount: number
  /** 32 lower-case hex digits that depend on the file's bytes alone. */
  contentHash: string
  /** The file as one zstd frame. */
  data: Uint8Array
}

/** A segment of a trace: spans that arrived together, or the mark of a filtered one, as one row. */
export interface TraceRecord {
  projectId: number
  /**
   * Relay's data category and the quantity that it is counted under: a transaction, or a number of spans; 0
   * for what was counted before.
   */
  category: 'transaction' | 'span'
  quantity: number
  /** 32 lower-case hex digits. */
  traceId: string
  /** 16 lower-case hex digits: its root span, or its first span if the root is in another segment. */
  spanId: string
  isRoot: boolean
  /** Unix milliseconds. */
  startedAt: number
  /** Of the root span, or from the start of the first span to the end of the last one. */
  durationUs: number
  spanCount: number
  op: string
  name: string
  isError: boolean
  environment: string
  release?: string
  /** Unix milliseconds. */
  receivedAt: number
  /** JSON of `writeSegmentBody`. */
  payload: Uint8Array
}

/** A number of items of a project with the same outcome. */
export interface OutcomeCount {
  projectId: number
  /** Relay's data category. */
  category: string
  outcome: OutcomeKind
  /** Why; empty for `accepted`. */
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
  /** The item's type as its header said. */
  itemType: string
  /** Relay's data category its end is counted under. */
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
 * Something a filter dropped, or a request that was rejected whole. The store keeps the newest few of each
 * day, so that a person can see what a rule does.
 */
export interface FilterSample {
  projectId: number
  /**
   * The reason it is counted under: with the outcome `filtered`, or one of `rejectionReasons` with `invalid`.
   */
  reason: string
  /** Relay's data category. */
  category: string
  /** Unix milliseconds. */
  receivedAt: number
  /** One line. */
  title: string
  /** Empty where it is not known. */
  environment: string
  release?: string
  /** 32 lower-case hex digits. */
  eventId?: string
  /** 32 lower-case hex digits. */
  traceId?: string
  /** JSON; not kept when it is over `limits.filterSampleBytes`. */
  payload: Uint8Array
}

/** Names an upstream of a project. */
export interface UpstreamReference {
  projectId: number
  upstreamId: string
}

/** An envelope that is to be sent on. */
export interface OutboxEntry extends UpstreamReference {
  /** Relay's data category by which an upstream's rate limit applies to it. */
  category: string
  /** Unix milliseconds. */
  receivedAt: number
  clientAddress?: string
  userAgent?: string
  /** The envelope as it is forwarded: unscrubbed. */
  body: Uint8Array
}

/** The result of an envelope in the outbox: delivered, or rejected permanently. */
export interface DeliveryResult extends UpstreamReference {
  number: number
  /**
   * `at`: Unix milliseconds. `body`: its bytes, for they wait for a person by themselves; left out where they
   * cannot be read.
   */
  rejected?: { at: number; problem: string; body?: Uint8Array }
}

/** The state that the sender of an upstream stores; see `UpstreamState`. */
export interface UpstreamStateRecord extends UpstreamReference {
  /** JSON */
  state: string
}

/** The content of one envelope for the store. Committed as a whole. */
export interface CommitWork {
  events: EventRecord[]
  /**
   * Outcomes of everything but `events`, `attachments`, `traces` and `sessions`: those are counted by the
   * committer (`accepted`, with the reason `spike_protection` where it was only counted, whose attachments
   * are `rate_limited`; `invalid` with the reason `duplicate`, of an event `internal`, of an attachment
   * `too_large`).
   */
  outcomes: OutcomeCount[]
  deadLetters: DeadLetter[]
  /** Samples of filtered items; the items are counted in `outcomes`. */
  samples?: FilterSample[]
  /**
   * The dead letter that this work was made of: deleted and uncounted in the same transaction. If it no
   * longer exists, nothing of the work is written.
   */
  madeOf?: DeadLetterReference & Pick<DeadLetter, 'category' | 'receivedAt'>
  /** Dropped if duplicate or over the event's quota. */
  attachments?: AttachmentRecord[]
  /** Segments of traces. Counted by the committer: `accepted`. */
  traces?: TraceRecord[]
  /** Of everything that arrives, also of what `traces` leaves out. */
  figures?: FigureRecord[]
  /** One or more session updates. Counted by the committer: `accepted`, or `abuse` if surplus. */
  sessions?: SessionItem[]
  /** Queued for the clock of the monitors, which counts them. */
  checkIns?: QueuedCheckIn[]
  /**
   * Copies for the project's upstreams. Not written where every event of the work is here already: they were
   * sent on then.
   */
  outbox?: OutboxEntry[]
  /** Of envelopes that were sent on. */
  deliveryResults?: DeliveryResult[]
  /** The states of upstreams. */
  upstreamStates?: UpstreamStateRecord[]
}

/**
 * The result for an event: `counted` when its issue exceeded its spike limit and only counters were updated,
 * `duplicate` when the project already has its id, `discarded` when a user deleted its issue and discards
 * future events, `dead_letter` when it could not be written and its payload was stored as a dead letter.
 */
export type EventCommit = 'accepted' | 'counted' | 'duplicate' | 'discarded' | 'dead_letter'

export interface CommitResult {
  /** Only if the dead letter of the work did not exist any more, so nothing was written. */
  isGone?: true
  /** In the order of `CommitWork.events`. */
  events: EventCommit[]
  /** In the order of `CommitWork.sessions`; absent where there are none. */
  sessions?: SessionCommit[]
}
