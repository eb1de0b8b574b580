import { StoreUnavailableError, type UnavailableReason } from '#server/store/errors.ts'
import type {
  AttachmentRecord,
  CommitResult,
  CommitEntry,
  EventRecord,
  OutboxEntry,
  TraceRecord,
  DeliveryResult,
} from '#server/store/ingest/records.ts'

/** A request to the commit thread. It answers `drain` and `close` with an empty list. */
export type CommitRequest = { kind: 'commit'; entries: PackedEntries } | { kind: 'drain' } | { kind: 'close' }

/** An error that the commit thread logs. */
export interface CommitNotice {
  fields: object
  message: string
}

/** The result of one entry. */
export type EntryReply =
  | { ok: true; result: CommitResult }
  | { ok: false; reason: UnavailableReason | undefined; message: string }

/**
 * Entries that can be cloned into another thread. Event payloads, envelopes to forward and attachments are
 * concatenated in one buffer, which is transferred instead of copied: a view would clone its whole underlying
 * buffer, and a socket's buffer has 64 kB.
 */
export interface PackedEntries {
  /** Without the bytes of events, of envelopes to forward and of files. */
  entries: CommitEntry[]
  payloads: Uint8Array<ArrayBuffer>
  /** The sizes of the parts of `payloads`. */
  byteCounts: number[]
}

const noBytes = new Uint8Array(0)

/** Packs entries without modifying them. Transfer `payloads.buffer`. */
export function packEntries(entries: readonly CommitEntry[]): PackedEntries {
  const chunks = entries.flatMap(bytesOf)
  const byteCounts = chunks.map(({ byteLength }) => byteLength)
  const payloads = new Uint8Array(byteCounts.reduce((sum, byteCount) => sum + byteCount, 0))
  let offset = 0
  for (const chunk of chunks) {
    payloads.set(chunk, offset)
    offset += chunk.byteLength
  }
  return { entries: entries.map(packEntry), payloads, byteCounts }
}

function bytesOf({ events, outbox = [], attachments = [], traces = [] }: CommitEntry): Uint8Array[] {
  return [
    ...events.map(({ payload }) => payload),
    ...outbox.map(({ body }) => body),
    ...attachments.map(({ data }) => data),
    ...traces.map(({ payload }) => payload),
  ]
}

function packEntry(entry: CommitEntry): CommitEntry {
  const { events, deadLetters, samples, attachments, traces, outbox, deliveryResults } = entry
  return {
    ...entry,
    events: events.map(withoutPayload),
    ...(outbox && { outbox: outbox.map(withoutBody) }),
    // Dead letters are rare, so they are copied into buffers of their own size and then cloned.
    deadLetters: deadLetters.map(withOwnPayload),
    ...(samples && { samples: samples.map(withOwnPayload) }),
    ...(attachments && { attachments: attachments.map(withoutData) }),
    ...(traces && { traces: traces.map(withoutBodyOfTrace) }),
    ...(deliveryResults && { deliveryResults: deliveryResults.map(withOwnBody) }),
  }
}

/** Overwrites the payload: a copy without it (`{ payload, ...others }`) is made field by field. */
function withoutPayload(event: EventRecord): EventRecord {
  return { ...event, payload: noBytes }
}

function withoutBody(entry: OutboxEntry): OutboxEntry {
  return { ...entry, body: noBytes }
}

function withOwnPayload<Item extends { payload: Uint8Array }>(item: Item): Item {
  return { ...item, payload: new Uint8Array(item.payload) }
}

function withOwnBody(deliveryResult: DeliveryResult): DeliveryResult {
  const body = deliveryResult.rejected?.body
  if (deliveryResult.rejected === undefined || body === undefined) return deliveryResult
  return { ...deliveryResult, rejected: { ...deliveryResult.rejected, body: new Uint8Array(body) } }
}

function withoutData(file: AttachmentRecord): AttachmentRecord {
  return { ...file, data: noBytes }
}

function withoutBodyOfTrace(trace: TraceRecord): TraceRecord {
  return { ...trace, payload: noBytes }
}

/** Restores entries from packed ones; their bytes are views of one buffer. */
export function unpackEntries({ entries, payloads, byteCounts }: PackedEntries): CommitEntry[] {
  let offset = 0
  let count = 0
  const take = () => {
    const start = offset
    offset += byteCounts[count] ?? 0
    count += 1
    return payloads.subarray(start, offset)
  }
  // In the order in which they were packed.
  for (const { events, outbox = [], attachments = [], traces = [] } of entries) {
    for (const event of events) event.payload = take()
    for (const entry of outbox) entry.body = take()
    for (const file of attachments) file.data = take()
    for (const trace of traces) trace.payload = take()
  }
  return entries
}

/** The reply for a settled commit. */
export function toEntryReply(settled: PromiseSettledResult<CommitResult>): EntryReply {
  if (settled.status === 'fulfilled') return { ok: true, result: settled.value }
  const error: unknown = settled.reason
  return {
    ok: false,
    reason: error instanceof StoreUnavailableError ? error.reason : undefined,
    message: error instanceof Error ? error.message : 'a value that is not an Error was thrown',
  }
}

/** The error of an entry that could not be committed, as the thread threw it. */
export function fromFailure({ reason, message }: Extract<EntryReply, { ok: false }>): Error {
  return reason === undefined ? new Error(message) : new StoreUnavailableError(reason)
}
