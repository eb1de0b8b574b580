import { limits } from '#server/limits.ts'
import { writeApart } from './batch-repair.ts'
import { writeBatch } from './batch.ts'
import type { BatchContext } from './batch.ts'
import { createBlockIds } from './body-block.ts'
import type { Store } from './database.ts'
import type { CommitResult, CommitWork } from './event-record.ts'
import { prepareIngestStatements } from './ingest-statements.ts'
import { findUnavailability } from './store-error.ts'

/** Makes what envelopes bring durable, many at a time. */
export interface Committer {
  /**
   * Writes the work, with whatever else has arrived, in one transaction; resolves once it is on disk and visible to
   * every read. Rejects with `StoreUnavailableError` when nothing was kept and a later attempt may succeed.
   */
  commit(work: CommitWork): Promise<CommitResult>
  /** Resolves once everything handed in so far has been answered. */
  drain(): Promise<void>
}

/** What the committer reports; pino's loggers fit. */
export interface CommitterLog {
  error(fields: Record<string, unknown>, message: string): void
}

interface Pending {
  work: CommitWork
  resolve: (result: CommitResult) => void
  reject: (error: Error) => void
}

/**
 * Natural group commit: no waiting for company. What arrives while a transaction runs is written by the next one, so
 * that batches are as large as the load makes them (measured: 1 at one client, 44 at 64, 220 at 256).
 */
export function createCommitter(store: Store, log?: CommitterLog): Committer {
  const context: BatchContext = {
    statements: prepareIngestStatements(store.sqlite),
    nextBlockId: createBlockIds(store.clock),
    tagValueCounts: new Map(),
    clock: store.clock,
  }
  const queue: Pending[] = []
  let running: Promise<void> | undefined

  const runBatches = async () => {
    while (queue.length > 0) {
      // One batch per turn of the event loop: in between, requests are read and answers written.
      await new Promise((resolve) => setImmediate(resolve))
      if (!store.writeLock.tryAcquire()) await store.writeLock.acquire()
      try {
        answerBatch(takeBatch(queue), (works) => commitBatch(store, context, works), log)
      } finally {
        store.writeLock.release()
      }
    }
    running = undefined
  }

  return {
    commit: (work) =>
      new Promise((resolve, reject) => {
        queue.push({ work, resolve, reject })
        running ??= runBatches()
      }),
    drain: () => running ?? Promise.resolve(),
  }
}

/** Takes works off the queue up to the limits of one transaction, at least one. */
function takeBatch(queue: Pending[]): Pending[] {
  let count = 0
  let eventCount = 0
  let payloadBytes = 0
  for (const { work } of queue) {
    eventCount += Math.max(1, work.events.length)
    payloadBytes += payloadBytesOf(work)
    const isFull = eventCount > limits.eventsPerCommit || payloadBytes > limits.commitPayloadBytes
    if (count > 0 && isFull) break
    count += 1
  }
  return queue.splice(0, count)
}

function payloadBytesOf({ events, deadLetters, samples = [], attachments = [] }: CommitWork): number {
  let bytes = 0
  for (const { payload } of events) bytes += payload.byteLength
  for (const { payload } of deadLetters) bytes += payload.byteLength
  for (const { payload } of samples) bytes += payload.byteLength
  for (const { data } of attachments) bytes += data.byteLength
  return bytes
}

type WorkResult = CommitResult | Error

function answerBatch(
  batch: Pending[],
  commit: (works: CommitWork[]) => WorkResult[],
  log?: CommitterLog,
): void {
  try {
    const results = commit(batch.map(({ work }) => work))
    for (const [index, { resolve, reject }] of batch.entries()) {
      const result = results[index]
      if (result && !(result instanceof Error)) resolve(result)
      else reject(result ?? new Error('a work of the batch was not answered'))
    }
  } catch (error) {
    const reason = findUnavailability(error) ?? toError(error)
    log?.error({ err: reason, workCount: batch.length }, 'a batch could not be committed')
    for (const { reject } of batch) reject(reason)
  }
}

/**
 * One transaction for the whole batch. When its data is to blame, a second one takes each work apart so that only
 * what cannot be written is set aside; when the machine is, the error goes to everybody.
 */
function commitBatch(store: Store, context: BatchContext, works: CommitWork[]): WorkResult[] {
  try {
    return runTransaction(store, context, () => writeBatch(context, works))
  } catch (error) {
    if (findUnavailability(error)) throw error
    return runTransaction(store, context, () => writeApart(store.sqlite, context, works))
  }
}

function runTransaction<Result>({ sqlite }: Store, context: BatchContext, write: () => Result): Result {
  try {
    sqlite.exec('BEGIN IMMEDIATE')
    const result = write()
    sqlite.exec('COMMIT')
    return result
  } catch (error) {
    context.tagValueCounts.clear()
    // A full disk and some I/O errors have rolled back already.
    if (sqlite.isOpen && sqlite.isTransaction) sqlite.exec('ROLLBACK')
    throw error
  }
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error('a value that is no error was thrown', { cause: error })
}
