import { limits } from '#server/limits.ts'
import { within } from '#server/store/engine/sqlite/busy-wait.ts'
import { SharedWriteError, type ProjectsWanted } from '#server/store/engine/write-gate.ts'
import { findUnavailability, isLockTimeout, isRace } from '#server/store/errors.ts'
import { createBlockIds } from '#server/store/events/body-block.ts'
import { countFigureDeltas } from '#server/store/figures/fold.ts'
import type { Store } from '#server/store/store.ts'
import { createBatchCache } from './batch-cache.ts'
import { writeSeparately } from './batch-repair.ts'
import { writeBatch, type BatchContext } from './batch.ts'
import { isAnyStillWaiting, projectsOf, isOf, takeBatch, type QueuedEntry } from './commit-queue.ts'
import { countUnfoldedEvents, foldSlice, hasLateDeltas, type SliceFold } from './counter-fold.ts'
import { createCounterSchedule, type CounterSchedule } from './counter-schedule.ts'
import { listProjectIds } from './entry-projects.ts'
import { expectNewEvents } from './read-ahead.ts'
import type { CommitResult, CommitEntry } from './records.ts'
import { createSpikeProtection } from './spike-protection.ts'
import { createTagWriter, clearTagCaches } from './tag-writer.ts'

/** Commits the contents of envelopes, many in one transaction. */
export interface Committer {
  /**
   * Writes the entry together with other queued entries in one transaction. Resolves once it is on disk and
   * visible to every read. Rejects with `StoreUnavailableError` when nothing was stored and a retry may
   * succeed: immediately, or after `limits.storeBusyMs` when another process keeps the file locked.
   *
   * `deferred`: writes it with the next entry, or after `limits.commitDeferMs`. For entries whose result is
   * not awaited.
   */
  commit(entry: CommitEntry, when?: 'now' | 'deferred'): Promise<CommitResult>
  /** The number of queued entries, without deferred ones. */
  waitingCount(): number
  /** Milliseconds for which the oldest entry has been queued; 0 without one. */
  oldestWaitMs(): number
  /**
   * Resolves once all entries so far are committed or rejected, and, if the store can be written, added to
   * the counters.
   */
  drain(): Promise<void>
  /** Drains the queue. Call before the store is closed. */
  close(): Promise<void>
}

/** A committer on the calling thread. */
interface LocalCommitter extends Committer {
  /** True if the last fold of counters failed. The deltas stay in the database and are folded later. */
  hasFailedToCount(): boolean
}

/** The logger of the committer; a pino logger fits. */
export interface CommitterLog {
  error(fields: object, message: string): void
}

/**
 * Milliseconds after which an entry waits for the lock of its project, instead of yielding to entries of
 * other projects.
 */
const overdueMs = 100

/**
 * Natural group commit without delays: entries that arrive during a transaction are written by the next one,
 * so that the load determines the batch size (measured: 1 at one client, 44 at 64, 220 at 256).
 */
export function createCommitter(store: Store, log?: CommitterLog): LocalCommitter {
  const writer = createTagWriter(store)
  const schedule = createCounterSchedule({
    clock: store.clock,
    waitingEvents: countUnfoldedEvents(writer) + countFigureDeltas(writer),
    onDue: () => void wake(),
  })
  const context: BatchContext = {
    ...writer,
    nextBlockId: createBlockIds(store.clock),
    canCountNow: (eventCount) => schedule.canCountNow(eventCount),
    expectFold: () => schedule.expectFold(),
    spikeProtection: createSpikeProtection(),
    cache: createBatchCache(store.engine),
    bounds: store.bounds,
  }
  const state: CommitterState = { store, context, schedule, log }
  startDeltaChecks(state)
  const queue: QueuedEntry[] = []
  let running: Promise<void> | undefined

  const runTransactions = async () => {
    while (queue.length > 0 || schedule.isDue()) {
      // One transaction per tick of the event loop: requests are read and answers written in between.
      await new Promise((resolve) => setImmediate(resolve))
      if (!store.writeLock.tryAcquire()) await store.writeLock.acquire()
      try {
        if (queue.length === 0) await fold(state)
        else await commitQueue(state, queue)
      } finally {
        store.writeLock.release()
      }
    }
    running = undefined
  }
  const wake = () => {
    if (queue.length > 0 || schedule.isDue()) running ??= runTransactions()
    return running
  }

  const deferred: QueuedEntry[] = []
  let deferredTimer: NodeJS.Timeout | undefined
  const enqueueDeferred = () => {
    clearTimeout(deferredTimer)
    if (deferred.length === 0) return
    queue.push(...deferred.splice(0))
    void wake()
  }

  const drain = async () => {
    enqueueDeferred()
    await running
    schedule.flush()
    await wake()
  }

  return {
    commit: (entry, when = 'now') =>
      new Promise((resolve, reject) => {
        const pending = { entry, enqueuedAt: performance.now(), resolve, reject }
        if (when === 'now') {
          queue.push(pending)
          enqueueDeferred()
          void wake()
        } else if (deferred.push(pending) === 1)
          deferredTimer = setTimeout(enqueueDeferred, limits.commitDeferMs)
      }),
    waitingCount: () => queue.length,
    oldestWaitMs: () => (queue[0] === undefined ? 0 : performance.now() - queue[0].enqueuedAt),
    drain,
    close: drain,
    hasFailedToCount: () => schedule.hasFailed,
  }
}

interface CommitterState {
  store: Store
  context: BatchContext
  schedule: CounterSchedule
  log: CommitterLog | undefined
}

/** Commits as much of the queue as fits into one transaction. */
async function commitQueue(state: CommitterState, queue: QueuedEntry[]): Promise<void> {
  const { writeGate, connection } = state.store
  const obstacle = await writeGate.begin(
    () => isAnyStillWaiting(queue),
    () => toWanted(state, queue),
  )
  if (obstacle !== undefined) {
    for (const { reject } of queue.splice(0)) reject(obstacle)
    return
  }
  const batch = takeBatch(queue, writeGate.locked?.projectIds)
  if (batch.length > 0) await answerBatch(state, batch)
  else connection.exec('ROLLBACK')
}

/** The projects of the queued entries, for the write gate. */
function toWanted({ context, schedule }: CommitterState, queue: readonly QueuedEntry[]): ProjectsWanted {
  const [oldest] = queue
  const first = oldest === undefined ? [] : projectsOf(oldest)
  const others = new Set(queue.flatMap(projectsOf)).difference(new Set(first))
  const isFirstOverdue = oldest !== undefined && performance.now() - oldest.enqueuedAt > overdueMs
  // Without this, processes that write the same projects would each commit only a few entries at a time.
  const suffices = (locked: ReadonlySet<number>) =>
    2 * queue.filter((each) => isOf(each, locked)).length >= queue.length
  const entries = queue.slice(0, limits.eventsPerCommit).map(({ entry }) => entry)
  return {
    first,
    others: [...others],
    isFirstOverdue,
    withDeltas: schedule.isDue(),
    suffices,
    expectReads: () => expectNewEvents(context, entries),
  }
}

/** Folds counter deltas. If that fails they stay in the database, and this process or another one retries. */
async function fold(state: CommitterState): Promise<void> {
  const { store, schedule, log } = state
  if (!store.connection.isOpen) {
    schedule.end()
    return
  }
  try {
    noteFold(state, await foldAlone(state))
    store.condition.noteSuccess()
  } catch (error) {
    schedule.failed()
    const unavailable = findUnavailability(error)
    if (unavailable) store.condition.noteFailure(unavailable)
    else log?.error({ err: error }, 'events could not be counted for now')
  }
}

/** Folds a slice in a transaction of its own. */
async function foldAlone(state: CommitterState, isExclusive = false): Promise<SliceFold> {
  const { store, context } = state
  const wanted = {
    first: [],
    others: [],
    isFirstOverdue: false,
    withDeltas: true,
    needsExclusive: isExclusive,
    suffices: () => true,
  }
  const obstacle = await store.writeGate.begin(
    () => false,
    () => wanted,
  )
  if (obstacle) throw obstacle
  const isShared = store.writeGate.locked?.isShared === true
  try {
    return finishTransaction(store, context, () => foldDue(state))
  } catch (error) {
    if (!isShared || !needsExclusive(error)) throw error
    return foldAlone(state, true)
  }
}

/** Checks for late deltas until the store is closed: a process that was killed may have left some. */
function startDeltaChecks(state: CommitterState): void {
  const timer = setInterval(() => {
    if (state.store.connection.isOpen) expectLateFold(state)
    else clearInterval(timer)
  }, limits.lateDeltasCheckMs).unref()
}

function expectLateFold({ store, schedule }: CommitterState): void {
  // While a transaction is open, the check is skipped.
  if (!store.writeLock.tryAcquire()) return
  try {
    if (hasLateDeltas(store)) schedule.expectFold()
  } catch {
    // If the store is unavailable, the next commit reports it.
  } finally {
    store.writeLock.release()
  }
}

/** Folds the slice that is due. `batchMs`: the duration of the batch in the same transaction. */
function foldDue({ store, context, schedule }: CommitterState, batchMs = 0): SliceFold {
  const projectIds = store.writeGate.locked?.foldableIds
  return store.writeGate.fold(() => foldSlice(context, { projectIds, batchMs, schedule }))
}

/** Updates the schedule after a committed fold. */
function noteFold({ store, schedule, log }: CommitterState, { isWhole, hasParts, damaged }: SliceFold): void {
  if (isWhole) schedule.folded(!hasParts && (store.writeGate.locked?.areAll ?? true))
  for (const err of damaged) log?.error({ err }, 'events could not be counted')
}

type EntryResult = CommitResult | Error

/** Commits a batch in the open transaction, and answers each entry. */
async function answerBatch(state: CommitterState, batch: QueuedEntry[]): Promise<void> {
  const { condition } = state.store
  try {
    const results = await commitBatch(
      state,
      batch.map(({ entry }) => entry),
    )
    condition.noteSuccess()
    for (const [index, { resolve, reject }] of batch.entries()) {
      const result = results[index]
      if (result && !(result instanceof Error)) resolve(result)
      else reject(result ?? new Error('an entry of the batch was not answered'))
    }
  } catch (error) {
    const unavailable = findUnavailability(error)
    if (unavailable) condition.noteFailure(unavailable)
    for (const { reject } of batch) reject(unavailable ?? toError(error))
  }
}

/**
 * Writes the whole batch and one slice of pending counter deltas in one transaction, so that the deltas need
 * no fsync of their own. If the data causes an error, a second transaction writes each entry separately, so
 * that only unwritable entries fail. If the machine causes it, all entries are rejected.
 */
async function commitBatch(state: CommitterState, entries: CommitEntry[]): Promise<EntryResult[]> {
  const { store, context, schedule } = state
  const isShared = store.writeGate.locked?.isShared === true
  try {
    const isFoldDue = schedule.isDue()
    const { results, counted } = finishTransaction(store, context, () => {
      // The locks of the rows that a batch appends to are held from their first write.
      const early = isFoldDue && isShared ? foldDue(state) : undefined
      const startedAt = performance.now()
      const written = writeBatch(context, entries)
      const batchMs = performance.now() - startedAt
      return { results: written, counted: early ?? (isFoldDue ? foldDue(state, batchMs) : undefined) }
    })
    if (counted) noteFold(state, counted)
    return results
  } catch (error) {
    if (isShared && needsExclusive(error)) {
      await beginExclusive(state, entries)
      return commitBatch(state, entries)
    }
    if (isRace(error)) return commitAlone(state, entries)
    if (findUnavailability(error)) throw error
    // Regardless of the cause, the batch is retried without the deltas.
    if (schedule.isDue()) schedule.failed()
    await beginAlone(store)
    return finishTransaction(store, context, () => writeSeparately(store.connection, context, entries))
  }
}

/** Repeats a batch that conflicted with another transaction, with an exclusive lock. */
async function commitAlone(
  { store, context }: CommitterState,
  entries: CommitEntry[],
): Promise<EntryResult[]> {
  await beginAlone(store)
  try {
    return finishTransaction(store, context, () => writeBatch(context, entries))
  } catch (error) {
    if (findUnavailability(error)) throw error
    await beginAlone(store)
    return finishTransaction(store, context, () => writeSeparately(store.connection, context, entries))
  }
}

/** True if a transaction that shared its projects failed because of that, and wrote nothing. */
function needsExclusive(error: unknown): boolean {
  return error instanceof SharedWriteError || isRace(error) || isLockTimeout(error)
}

/** Begins a transaction that shares the projects of the entries with no other one. */
async function beginExclusive(
  { store, schedule }: CommitterState,
  entries: readonly CommitEntry[],
): Promise<void> {
  const wanted = {
    first: [...new Set(entries.flatMap(listProjectIds))],
    others: [],
    isFirstOverdue: true,
    withDeltas: schedule.isDue(),
    needsExclusive: true,
    suffices: () => false,
  }
  const obstacle = await store.writeGate.begin(within(limits.storeBusyMs), () => wanted)
  if (obstacle) throw obstacle
}

async function beginAlone({ writeGate }: Store): Promise<void> {
  const obstacle = await writeGate.begin(within(limits.storeBusyMs))
  if (obstacle) throw obstacle
}

/** Runs `write` in the open transaction and commits, or rolls back if it throws. */
function finishTransaction<Result>(
  { connection }: Store,
  context: BatchContext,
  write: () => Result,
): Result {
  try {
    if (!context.cache.begin()) clearTagCaches(context)
    const result = write()
    connection.exec('COMMIT')
    context.cache.committed()
    context.spikeProtection.committed()
    return result
  } catch (error) {
    clearTagCaches(context)
    context.cache.rolledBack()
    context.spikeProtection.rolledBack()
    // SQLite rolls back automatically on a full disk and on some I/O errors.
    if (connection.isOpen && connection.isTransaction) connection.exec('ROLLBACK')
    throw error
  }
}

function toError(error: unknown): Error {
  return error instanceof Error
    ? error
    : new Error('a value that is not an Error was thrown', { cause: error })
}
