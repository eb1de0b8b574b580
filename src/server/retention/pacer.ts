import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { limits } from '#server/limits.ts'
import { retryWhileBusy, within } from '#server/store/busy-wait.ts'
import type { Store } from '#server/store/database.ts'
import { findUnavailability, StoreUnavailableError } from '#server/store/store-error.ts'

/** Tells the work of a slice whether it may go on. */
export type HasTime = () => boolean

/** Cuts long work into transactions so short that ingest does not notice them. */
export interface Pacer {
  /**
   * Runs work in one transaction, once nobody else writes, then leaves as much time to others as it took. The work
   * does at least one step and goes on while it has time. Throws what it throws after a rollback,
   * `StoreUnavailableError` when the file cannot be written, and the signal's reason once stopped.
   */
  slice<Result>(work: (hasTime: HasTime) => Result): Promise<Result>
  /** Repeats a step in as many slices as it takes, until it says that nothing is left. */
  repeat(step: () => boolean): Promise<void>
  /** Copies the log into the file, as far as readers let it. */
  checkpoint(): Promise<void>
  /** The longest that one slice has held the event loop so far, with its commit. */
  readonly longestMs: number
}

export interface PacerOptions {
  store: Store
  signal: AbortSignal
  /** The work only reads: it needs no lock on the file. */
  isReadOnly: boolean
}

/**
 * A slice's commit takes time too, and more of it the more pages were touched; so the time given to its work is what
 * makes both together take `limits.retentionSliceMs`.
 */
export function createPacer({ store, signal, isReadOnly }: PacerOptions): Pacer {
  const targetMs = limits.retentionSliceMs
  let workMs = targetMs / 4
  let longestMs = 0

  const slice: Pacer['slice'] = async (work) => {
    signal.throwIfAborted()
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
      store.writeLock.release()
      longestMs = Math.max(longestMs, tookMs)
      workMs = Math.min(Math.max((workMs * targetMs) / tookMs, 1), workMs * 2, targetMs)
      await (tookMs < 1 ? nextTurn() : sleep(tookMs, undefined, { signal }).catch(() => {}))
    }
  }

  return {
    slice,
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
        store.sqlite.exec('PRAGMA wal_checkpoint(PASSIVE)')
      } finally {
        store.writeLock.release()
        longestMs = Math.max(longestMs, performance.now() - startedAt)
      }
    },
    get longestMs() {
      return longestMs
    },
  }
}

/**
 * Past the gate of ingest, which lets nobody through while the disk is nearly full: deleting is what helps then. Only
 * after an I/O error the gate comes first, because it mends the log.
 */
async function beginTransaction({ sqlite, condition }: Store, isReadOnly: boolean): Promise<void> {
  if (isReadOnly) {
    sqlite.exec('BEGIN')
    return
  }
  if (!condition.isLogSound) throw new StoreUnavailableError('IOERR')
  await retryWhileBusy(() => sqlite.exec('BEGIN IMMEDIATE'), within(limits.storeBusyMs))
}

function finishTransaction<Result>({ sqlite, condition }: Store, work: () => Result): Result {
  try {
    const result = work()
    sqlite.exec('COMMIT')
    return result
  } catch (error) {
    // A full disk and some I/O errors have rolled back already.
    if (sqlite.isOpen && sqlite.isTransaction) sqlite.exec('ROLLBACK')
    const unavailable = findUnavailability(error)
    if (unavailable) condition.noteFailure(unavailable)
    throw unavailable ?? error
  }
}
