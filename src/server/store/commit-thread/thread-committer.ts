import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { limits } from '#server/limits.ts'
import { StoreUnavailableError } from '#server/store/errors.ts'
import type { Committer, CommitterLog } from '#server/store/ingest/committer.ts'
import type { CommitResult, CommitEntry } from '#server/store/ingest/records.ts'
import type { Store } from '#server/store/store.ts'
import { WorkerChannel } from '#server/worker-channel.ts'
import { fromFailure, packEntries } from './commit-message.ts'
import type { CommitNotice, CommitRequest, EntryReply } from './commit-message.ts'

interface PendingEntry {
  entry: CommitEntry
  /** By the monotonic clock. */
  enqueuedAt: number
  resolve: (result: CommitResult) => void
  reject: (error: Error) => void
}

interface CommitThread {
  worker: Worker
  channel: WorkerChannel<CommitRequest, EntryReply[], CommitNotice>
}

/** Milliseconds before a failed thread is replaced. */
const restartMs = 1_000

/** Half of V8's default: the objects of the thread live for one transaction. */
const youngGenerationMb = 24

/**
 * A committer in a worker thread, so that neither transactions nor fsyncs delay requests and pages. The
 * thread has its own connection to the store's file. Entries are sent as soon as the thread is idle; those
 * that arrive during a commit are sent together after its reply, or after `limits.commitCollectedMs`.
 *
 * If the thread fails, the entries that it was committing are rejected as `CLOSED`, and another thread starts
 * after a second. `close` ends the thread.
 */
export function createThreadCommitter(store: Store, log?: CommitterLog): Committer {
  store.engine.yieldToCommitThread()
  const link = new CommitThreadLink(store, log)
  return {
    commit: (entry, when) => link.commit(entry, when),
    waitingCount: () => link.waitingCount(),
    oldestWaitMs: () => link.oldestWaitMs(),
    drain: () => link.drain(),
    close: () => link.close(),
  }
}

class CommitThreadLink {
  private readonly store: Store
  private readonly log: CommitterLog | undefined
  private thread: CommitThread | undefined
  private isClosed = false
  /** Entries that are sent when the thread is idle, or after `limits.commitCollectedMs`. */
  private collected: PendingEntry[] = []
  private collectedTimer: NodeJS.Timeout | undefined
  /** Entries that are sent with the next one, or after `limits.commitDeferMs`. */
  private deferred: PendingEntry[] = []
  private deferredTimer: NodeJS.Timeout | undefined
  /** Batches without a reply, oldest first. */
  private readonly sent = new Set<PendingEntry[]>()

  constructor(store: Store, log: CommitterLog | undefined) {
    this.store = store
    this.log = log
    this.start()
  }

  commit(entry: CommitEntry, when: 'now' | 'deferred' = 'now'): Promise<CommitResult> {
    return new Promise((resolve, reject) => {
      const pending = { entry, enqueuedAt: performance.now(), resolve, reject }
      if (when === 'now') this.add(pending)
      else this.defer(pending)
    })
  }

  waitingCount(): number {
    let count = this.collected.length
    for (const { length } of this.sent) count += length
    return count
  }

  oldestWaitMs(): number {
    const [oldest] = this.sent.values().next().value ?? this.collected
    return oldest === undefined ? 0 : performance.now() - oldest.enqueuedAt
  }

  async drain(): Promise<void> {
    this.send()
    // A thread that exits has nothing left to drain.
    await this.thread?.channel.request({ kind: 'drain' }).catch(() => undefined)
  }

  async close(): Promise<void> {
    this.send()
    this.isClosed = true
    await this.thread?.channel.request({ kind: 'close' }).catch(() => undefined)
    await this.thread?.worker.terminate()
  }

  private add(pending: PendingEntry): void {
    if (this.collected.push(pending) !== 1) return
    // After the entries of this tick, before more is read from sockets.
    if (this.sent.size === 0) process.nextTick(() => this.send())
    // Otherwise after the reply. A slow thread also receives them, because it enforces how long each may
    // wait.
    else this.collectedTimer = setTimeout(() => this.send(), limits.commitCollectedMs)
  }

  private defer(pending: PendingEntry): void {
    if (this.deferred.push(pending) !== 1) return
    this.deferredTimer = setTimeout(() => {
      for (const each of this.deferred.splice(0)) this.add(each)
    }, limits.commitDeferMs)
  }

  private start(): void {
    const worker = new Worker(new URL('commit-thread.ts', import.meta.url), {
      workerData: { path: this.store.path, bounds: this.store.bounds },
      resourceLimits: { maxYoungGenerationSizeMb: youngGenerationMb },
    })
    worker.on('error', (err: unknown) => this.log?.error({ err }, 'the commit thread has failed'))
    worker.on('exit', () => void this.restart())
    const channel = new WorkerChannel<CommitRequest, EntryReply[], CommitNotice>(worker, (notice) =>
      this.log?.error(notice.fields, notice.message),
    )
    this.thread = { worker, channel }
  }

  private async restart(): Promise<void> {
    this.thread = undefined
    if (this.isClosed) return
    await sleep(restartMs, undefined, { ref: false })
    if (!this.isClosed) this.start()
  }

  private send(): void {
    const batch = [...this.collected, ...this.deferred]
    clearTimeout(this.deferredTimer)
    clearTimeout(this.collectedTimer)
    if (batch.length === 0) return
    this.collected = []
    this.deferred = []
    try {
      this.sendBatch(batch)
    } catch {
      // An entry that cannot be cloned is a bug. It neither rejects the other entries nor ends the process.
      for (const pending of batch) this.sendAlone(pending)
    }
  }

  private sendAlone(pending: PendingEntry): void {
    try {
      this.sendBatch([pending])
    } catch (error) {
      pending.reject(toError(error))
    }
  }

  /** Throws if one of the entries cannot be cloned; in that case none is sent. */
  private sendBatch(batch: PendingEntry[]): void {
    if (this.thread === undefined) {
      rejectClosed(batch)
      return
    }
    const entries = packEntries(batch.map(({ entry }) => entry))
    const reply = this.thread.channel.request({ kind: 'commit', entries }, [entries.payloads.buffer])
    this.sent.add(batch)
    void this.settle(batch, reply)
  }

  private async settle(batch: PendingEntry[], reply: Promise<EntryReply[]>): Promise<void> {
    const results = await reply.catch(() => undefined)
    this.sent.delete(batch)
    if (results === undefined) {
      rejectClosed(batch)
      return
    }
    // Sent first, so that the thread commits while these entries are answered.
    if (this.collected.length > 0) this.send()
    for (const [index, pending] of batch.entries()) this.answer(pending, results[index])
  }

  private answer({ resolve, reject }: PendingEntry, reply: EntryReply | undefined): void {
    if (reply?.ok === true) {
      this.store.condition.noteSuccess()
      resolve(reply.result)
      return
    }
    const error = reply === undefined ? new Error('an entry was not answered') : fromFailure(reply)
    if (error instanceof StoreUnavailableError) this.store.condition.noteFailure(error)
    reject(error)
  }
}

function rejectClosed(batch: readonly PendingEntry[]): void {
  for (const { reject } of batch) reject(new StoreUnavailableError('CLOSED'))
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error('an entry could not be packed', { cause: error })
}
