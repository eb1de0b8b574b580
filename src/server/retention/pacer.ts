import { createHistogram } from 'node:perf_hooks'
import { setImmediate as nextTick, setTimeout as sleep } from 'node:timers/promises'
import { limits } from '#server/limits.ts'
import { retryWhileBusy, within } from '#server/store/engine/sqlite/busy-wait.ts'
import { findUnavailability } from '#server/store/errors.ts'
import { whenEventsMoved } from '#server/store/events/moves.ts'
import type { Store } from '#server/store/store.ts'

/** Returns whether the work of a slice may continue. */
export type HasTime = () => boolean

/** Divides long work into transactions that are too short to delay ingest noticeably. */
export interface Pacer {
  /**
   * Runs work in one transaction, once no other writer is active, then pauses for three times as long. The
   * work does at least one step and continues while it has time. Rethrows its errors after a rollback, throws
   * `StoreUnavailableError` if the database cannot be written, and the signal's reason once stopped.
   */
  slice<Result>(work: (hasTime: HasTime) => Result): Promise<Result>
  /**
   * Reads outside of the slices, which exclude all other writers, then pauses as after a slice. Throws the
   * signal's reason once stopped.
   */
  read<Result>(read: () => Promise<Result>): Promise<Result>
  /** Repeats a step in as many slices as necessary, until it returns true: nothing is left. */
  repeat(step: () => boolean): Promise<void>
  /** Copies the write-ahead log into the file, as far as readers allow it. */
  checkpoint(): Promise<void>
  /** From now on pauses only as long as a slice has taken, because the disk is filling up. */
  speedUp(): void
  /** How long slices and checkpoints have blocked the event loop, including their commits. */
  readonly sliceMs: SliceTimes
}

/** Milliseconds for which slices blocked ingest. */
export interface SliceTimes {
  p99: number
  longest: number
}

export interface PacerOptions {
  store: Store
  signal: AbortSignal
  /** True if the work only reads, so it needs no lock on the file. */
  isReadOnly: boolean
}

/**
 * A slice's commit takes longer the more pages were changed, so the time for its work is adapted until both
 * together take `limits.retentionSliceMs`.
 */
export function createPacer({ store, signal, isReadOnly }: PacerOptions): Pacer {
  const targetMs = limits.retentionSliceMs
  const times = createHistogram()
  let workMs = targetMs / 4
  let pauseShare = 3
  const note = (tookMs: number) => times.record(Math.max(1, Math.round(tookMs * 1000)))

  const slice: Pacer['slice'] = async (work) => {
    signal.throwIfAborted()
    if (!isReadOnly) await whenEventsMoved(store)
    await store.writeLock.acquire()
    let tookMs = 0
    try {
      await beginTransaction(store, isReadOnly)
      const startedAt = performance.now()
      try {
        return finishTransaction(store, () => work(() => performance.now() - startedAt < workMs))
      } finally {
        tookMs = performance.now() - startedAt
      }
    } finally {
      if (store.connection.isOpen) store.engine.endRelaxed()
      store.writeLock.release()
      note(tookMs)
      workMs = Math.min(Math.max((workMs * targetMs) / tookMs, 1), workMs * 2, targetMs)
      await pause(tookMs)
    }
  }

  async function pause(tookMs: number): Promise<void> {
    const pauseMs = tookMs * pauseShare
    await (pauseMs < 1 ? nextTick() : sleep(pauseMs, undefined, { signal }).catch(() => {}))
  }

  return {
    slice,
    async read(read) {
      signal.throwIfAborted()
      const startedAt = performance.now()
      try {
        return await read()
      } finally {
        await pause(performance.now() - startedAt)
      }
    },
    async repeat(step) {
      const runWhileTime = (hasTime: HasTime) => {
        let isDone = step()
        while (!isDone && hasTime()) isDone = step()
        return isDone
      }
      while (!(await slice(runWhileTime)));
    },
    async checkpoint() {
      signal.throwIfAborted()
      await store.writeLock.acquire()
      const startedAt = performance.now()
      try {
        store.engine.checkpoint()
      } finally {
        store.writeLock.release()
        note(performance.now() - startedAt)
      }
    },
    speedUp() {
      pauseShare = 1
    },
    get sliceMs() {
      return { p99: times.percentile(99) / 1000, longest: times.max / 1000 }
    },
  }
}

/**
 * Bypasses the gate of ingest, which blocks all writes while the disk is nearly full: in that case deleting
 * helps. Only after an I/O error the log is repaired first, as the gate does. If ingest commits in a separate
 * thread, nothing else repairs it for this store.
 */
async function beginTransaction(
  { connection, engine, condition }: Store,
  isReadOnly: boolean,
): Promise<void> {
  if (isReadOnly) {
    connection.exec('BEGIN')
    return
  }
  if (!condition.isLogSound) {
    const obstacle = engine.rewriteLog()
    if (obstacle !== undefined) throw obstacle
    condition.noteSoundLog()
  }
  await engine.beforeTransaction()
  // Deletions of retention need not be on disk immediately: the next commit of ingest writes them, and after
  // a power failure the next run repeats them. An fsync per slice took most of the time (measured).
  await retryWhileBusy(() => engine.beginRelaxed(), within(limits.storeBusyMs))
}

function finishTransaction<Result>({ connection, condition }: Store, work: () => Result): Result {
  try {
    const result = work()
    connection.exec('COMMIT')
    return result
  } catch (error) {
    // SQLite rolls back automatically on a full disk and on some I/O errors.
    if (connection.isOpen && connection.isTransaction) connection.exec('ROLLBACK')
    const unavailable = findUnavailability(error)
    if (unavailable) condition.noteFailure(unavailable)
    throw unavailable ?? error
  }
}
