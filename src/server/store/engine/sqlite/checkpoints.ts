import type { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { limits } from '#server/limits.ts'
import type { StoreCondition } from '#server/store/condition.ts'
import { findUnavailability } from '#server/store/errors.ts'
import { WorkerChannel } from '#server/worker-channel.ts'
import { readPageBytes } from './connection.ts'

/** Sizes of the log in bytes. */
export interface LogSizes {
  /** The log is checkpointed from this size on. */
  start: number
  /** A part of this size that has not been copied is copied between two transactions. */
  rest: number
  /** From this size on, a transaction waits until the running checkpoint ends. */
  limit: number
}

/**
 * A checkpoint of 96 MiB takes 30 to 70 ms, during which 2 to 8 MB are written (measured). A log of 128 MiB
 * instead of 32 reduced the writes per event from 52 kB to 42 kB (measured, 5,000 issues).
 */
const logSizes: LogSizes = {
  start: 96 * 1024 * 1024,
  rest: 4 * 1024 * 1024,
  limit: 224 * 1024 * 1024,
}

/** Checkpoints of the log while transactions are written. */
export interface Checkpoints {
  /** Call it before a transaction. A checkpoint that fails is noted in the store's condition. */
  beforeTransaction(): Promise<void>
  /** Waits for a running checkpoint and ends the thread. */
  close(): Promise<void>
}

export interface CheckpointOptions {
  /** The path of the database file. */
  path: string
  condition: Pick<StoreCondition, 'noteFailure'>
  sizes?: LogSizes
}

/** Requests of the thread. A failed one is answered with the properties of the error of `node:sqlite`. */
type Request = 'checkpoint' | 'close'
type Reply = { code: string; errcode: number; message: string } | undefined

/** The thread creates next to no objects. */
const threadMemory = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 }

/**
 * Checkpoints of the thread, one after another. SQLite syncs the database only at the end of one during which
 * no transaction was committed, and the others have little to copy. If there is none, the connection that
 * writes has to sync everything that the thread has copied.
 */
const checkpointsAtOnce = 8

/** As text, because a bundle is deployed without sources. */
const program = `
  const { parentPort, workerData } = require('node:worker_threads')
  const { DatabaseSync } = require('node:sqlite')
  let database
  function checkpoint() {
    database ??= new DatabaseSync(workerData)
    for (let count = 0; count < ${checkpointsAtOnce}; count += 1) {
      database.exec('PRAGMA wal_checkpoint(PASSIVE)')
      const { log, checkpointed } = database.prepare('PRAGMA wal_checkpoint(NOOP)').get()
      if (log === checkpointed) return
    }
  }
  parentPort.on('message', ({ number, request }) => {
    let reply
    try {
      if (request === 'close') database?.close()
      else checkpoint()
    } catch ({ code, errcode, message }) {
      reply = { code, errcode, message }
    }
    parentPort.postMessage({ number, reply })
  })
`

/**
 * Checkpoints the log in a thread while transactions are written to it: on the connection that writes, a
 * checkpoint blocks the next transaction for as long as it takes. The thread starts when it is needed, and
 * ends `limits.checkpointThreadIdleMs` after the last checkpoint.
 *
 * A log starts over only when it has been copied as a whole. So what was written during a checkpoint is
 * copied by the next ones, and the last few megabytes by the connection that writes, between two
 * transactions.
 */
export function createCheckpoints(
  sqlite: DatabaseSync,
  { path, condition, sizes = logSizes }: CheckpointOptions,
): Checkpoints {
  const frameBytes = readPageBytes(sqlite) + 24
  // Checkpoints nothing. Takes 2 µs.
  const readLog = sqlite.prepare('PRAGMA wal_checkpoint(NOOP)')
  let thread: CheckpointThread | undefined
  let idle: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let isClosed = false

  async function checkpoint(): Promise<void> {
    clearTimeout(idle)
    const failed = await requestCheckpoint()
    running = undefined
    idle = setTimeout(() => void endThread(), limits.checkpointThreadIdleMs).unref()
    if (failed) noteFailure(Object.assign(new Error(failed.message), failed))
  }

  async function requestCheckpoint(): Promise<Reply> {
    try {
      thread ??= startThread(path)
      return await thread.channel.request('checkpoint')
    } catch {
      // The thread has ended, or could not be started. The next checkpoint starts another one, and commits
      // checkpoint a log of 160 MiB.
      thread = undefined
      return undefined
    }
  }

  function checkpointRest(): void {
    try {
      sqlite.exec('PRAGMA wal_checkpoint(PASSIVE)')
    } catch (error) {
      noteFailure(error)
    }
  }

  /** SQLite's other errors are of no consequence: the next checkpoint copies the same part of the log. */
  function noteFailure(error: unknown): void {
    const unavailable = findUnavailability(error)
    if (unavailable !== undefined) condition.noteFailure(unavailable)
  }

  async function endThread(): Promise<void> {
    clearTimeout(idle)
    const ending = thread
    thread = undefined
    // Not the last connection to close: that one checkpoints the log.
    await ending?.channel.request('close').catch(() => undefined)
    await ending?.worker.terminate()
  }

  return {
    async beforeTransaction() {
      if (isClosed) return
      const frames = readLog.get()
      const logBytes = Number(frames?.['log']) * frameBytes
      if (logBytes < sizes.start) return
      const restBytes = logBytes - Number(frames?.['checkpointed']) * frameBytes
      if (running === undefined && restBytes <= sizes.rest) checkpointRest()
      else running ??= checkpoint()
      if (logBytes >= sizes.limit) await running
    },
    async close() {
      isClosed = true
      await running
      await endThread()
    },
  }
}

interface CheckpointThread {
  worker: Worker
  channel: WorkerChannel<Request, Reply>
}

function startThread(path: string): CheckpointThread {
  const worker = new Worker(program, { eval: true, workerData: path, resourceLimits: threadMemory })
  // Its request is rejected.
  worker.on('error', () => undefined)
  return { worker, channel: new WorkerChannel(worker) }
}
