import type { CommitResult, CommitWork, EventRecord } from '#server/store/event-record.ts'
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
 * Works ready to be cloned into another thread. The payloads of their events stand one after another in one buffer of their
 * own, which is handed over and not copied again: a view would drag the whole buffer behind it along, and those of a
 * socket are 64 kB.
 */
export interface PackedWorks {
  works: PackedWork[]
  payloads: Uint8Array<ArrayBuffer>
}

interface PackedWork extends Omit<CommitWork, 'events'> {
  events: (Omit<EventRecord, 'payload'> & { payloadBytes: number })[]
}

/** Packs works; the given ones stay as they are. Transfer `payloads.buffer`. */
export function packWorks(works: readonly CommitWork[]): PackedWorks {
  const packed = works.map(packWork)
  const byteCount = works.reduce((sum, { events }) => sum + bytesOf(events), 0)
  const payloads = new Uint8Array(byteCount)
  let offset = 0
  for (const { events } of works) {
    for (const { payload } of events) {
      payloads.set(payload, offset)
      offset += payload.byteLength
    }
  }
  return { works: packed, payloads }
}

function bytesOf(events: EventRecord[]): number {
  return events.reduce((sum, { payload }) => sum + payload.byteLength, 0)
}

function packWork({ events, deadLetters, samples, attachments, ...others }: CommitWork): PackedWork {
  return {
    ...others,
    events: events.map(({ payload, ...event }) => ({ ...event, payloadBytes: payload.byteLength })),
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

/** The works as they were; their events' payloads are views of one buffer. */
export function unpackWorks({ works, payloads }: PackedWorks): CommitWork[] {
  let offset = 0
  return works.map(({ events, ...others }) => ({
    ...others,
    events: events.map(({ payloadBytes, ...event }) => {
      const payload = payloads.subarray(offset, offset + payloadBytes)
      offset += payloadBytes
      return { ...event, payload }
    }),
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
