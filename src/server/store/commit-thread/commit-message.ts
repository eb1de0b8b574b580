import type { CommitResult, CommitWork, EventRecord, OutboxEntry } from '#server/store/event-record.ts'
import { StoreUnavailableError } from '#server/store/store-error.ts'
import type { UnavailableReason } from '#server/store/store-error.ts'

/** What the committing thread is asked for; every request but `close` is answered under its number. */
export type CommitRequest =
  | { kind: 'commit'; number: number; works: PackedWorks }
  | { kind: 'drain'; number: number }
  | { kind: 'close' }

/** What the committing thread tells. */
export type CommitReply =
  | { kind: 'committed'; number: number; results: WorkReply[] }
  | { kind: 'drained'; number: number }
  | { kind: 'error'; fields: object; message: string }

/** What became of one work. */
export type WorkReply =
  | { ok: true; result: CommitResult }
  | { ok: false; reason: UnavailableReason | undefined; message: string }

/**
 * Works ready to be cloned into another thread. The payloads of their events, and what is to be sent on, stand one after
 * another in one buffer of their own, which is handed over and not copied again: a view would drag the whole buffer behind it along, and those of a
 * socket are 64 kB.
 */
export interface PackedWorks {
  works: PackedWork[]
  payloads: Uint8Array<ArrayBuffer>
}

interface PackedWork extends Omit<CommitWork, 'events' | 'outbox'> {
  events: (Omit<EventRecord, 'payload'> & { payloadBytes: number })[]
  outbox?: (Omit<OutboxEntry, 'body'> & { bodyBytes: number })[]
}

/** Packs works; the given ones stay as they are. Transfer `payloads.buffer`. */
export function packWorks(works: readonly CommitWork[]): PackedWorks {
  const packed = works.map(packWork)
  const chunks = works.flatMap(bytesOf)
  const payloads = new Uint8Array(chunks.reduce((sum, { byteLength }) => sum + byteLength, 0))
  let offset = 0
  for (const chunk of chunks) {
    payloads.set(chunk, offset)
    offset += chunk.byteLength
  }
  return { works: packed, payloads }
}

function bytesOf({ events, outbox = [] }: CommitWork): Uint8Array[] {
  return [...events.map(({ payload }) => payload), ...outbox.map(({ body }) => body)]
}

function packWork({ events, deadLetters, samples, attachments, outbox, ...others }: CommitWork): PackedWork {
  return {
    ...others,
    events: events.map(({ payload, ...event }) => ({ ...event, payloadBytes: payload.byteLength })),
    ...(outbox && { outbox: outbox.map(({ body, ...entry }) => ({ ...entry, bodyBytes: body.byteLength })) }),
    // Rare, so copied into buffers of their own size and then cloned.
    deadLetters: deadLetters.map((letter) => ({ ...letter, payload: new Uint8Array(letter.payload) })),
    ...(samples && {
      samples: samples.map((sample) => ({ ...sample, payload: new Uint8Array(sample.payload) })),
    }),
    ...(attachments && {
      attachments: attachments.map((file) => ({ ...file, data: new Uint8Array(file.data) })),
    }),
  }
}

/** The works as they were; their events' payloads, and what is to be sent on, are views of one buffer. */
export function unpackWorks({ works, payloads }: PackedWorks): CommitWork[] {
  let offset = 0
  const take = (byteCount: number) => {
    offset += byteCount
    return payloads.subarray(offset - byteCount, offset)
  }
  return works.map(({ events, outbox, ...others }) => ({
    ...others,
    // In the order in which they were packed.
    events: events.map(({ payloadBytes, ...event }) => ({ ...event, payload: take(payloadBytes) })),
    ...(outbox && { outbox: outbox.map(({ bodyBytes, ...entry }) => ({ ...entry, body: take(bodyBytes) })) }),
  }))
}

/** What became of a work whose commit has settled. */
export function toWorkReply(settled: PromiseSettledResult<CommitResult>): WorkReply {
  if (settled.status === 'fulfilled') return { ok: true, result: settled.value }
  const error: unknown = settled.reason
  return {
    ok: false,
    reason: error instanceof StoreUnavailableError ? error.reason : undefined,
    message: error instanceof Error ? error.message : 'a value that is no error was thrown',
  }
}

/** The error of a work that could not be committed, as the thread had it. */
export function fromFailure({ reason, message }: Extract<WorkReply, { ok: false }>): Error {
  return reason === undefined ? new Error(message) : new StoreUnavailableError(reason)
}
