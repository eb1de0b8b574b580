import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { limits } from '#server/limits.ts'
import { StoreUnavailableError } from '#server/store/errors.ts'
import type { CommitResult, CommitWork } from '#server/store/events/record.ts'
import type { Committer, CommitterLog } from '#server/store/ingest/committer.ts'
import type { Store } from '#server/store/store.ts'
import { fromFailure, packWorks } from './commit-message.ts'
import type { CommitReply, CommitRequest, WorkReply } from './commit-message.ts'

interface Pending {
  work: CommitWork
  /** By the monotonic clock. */
  handedInAt: number
  resolve: (result: CommitResult) => void
  reject: (error: Error) => void
}

/** Milliseconds before a thread that has failed is replaced. */
const restartMs = 1_000

/** Half of V8's default: the thread's objects are gone after one transaction. */
const youngGenerationMb = 24

/**
 * KiB of pages that the connection of this thread keeps, which writes little beside the one of the committing
 * thread.
 */
const writerCacheKib = 8_192

/**
 * A committer in a thread of its own, so that neither transactions nor fsyncs hold up requests and pages. Its
 * thread has its own connection to the store's file. It is given work as soon as it waits for some; what
 * arrives while it commits goes to it together, when it has answered or `limits.commitCollectedMs` are over.
 *
 * Should the thread fail, what it was committing is refused as `CLOSED` and another one is started a second
 * later. Its `close` ends the thread.
 */
export function createThreadCommitter(store: Store, log?: CommitterLog): Committer {
  store.sqlite.exec(`PRAGMA cache_size = -${writerCacheKib}`)
  const link = new ThreadLink(store, log)
  return {
    commit: (work, when = 'now') =>
      new Promise((resolve, reject) => {
        const pending = { work, handedInAt: performance.now(), resolve, reject }
        if (when === 'now') link.add(pending)
        else link.addForSoon(pending)
      }),
    waitingCount: () => link.waitingCount(),
    oldestWaitMs: () => link.oldestWaitMs(),
    drain: () => link.drain(),
    close: () => link.close(),
  }
}

class ThreadLink {
  private readonly store: Store
  private readonly log: CommitterLog | undefined
  private thread: Worker | undefined
  private isClosed = false
  private lastNumber = 0
  /** Goes as soon as the thread waits for work, or when its time is over. */
  private collected: Pending[] = []
  private collectedTimer: NodeJS.Timeout | undefined
  /** Goes with what comes next, or when its time is over. */
  private soon: Pending[] = []
  private soonTimer: NodeJS.Timeout | undefined
  /** What the thread has not answered, by the request's number, oldest first. */
  private readonly sent = new Map<number, Pending[]>()
  private readonly drains = new Map<number, () => void>()

  constructor(store: Store, log: CommitterLog | undefined) {
    this.store = store
    this.log = log
    this.start()
  }

  add(pending: Pending): void {
    if (this.collected.push(pending) !== 1) return
    // Once what is being worked on in one go is through, before more is read from sockets.
    if (this.sent.size === 0) process.nextTick(() => this.send())
    // Or else with its answer. A slow thread gets it anyway: it is the one that counts how long each may
    // wait.
    else this.collectedTimer = setTimeout(() => this.send(), limits.commitCollectedMs)
  }

  addForSoon(pending: Pending): void {
    if (this.soon.push(pending) === 1) this.soonTimer = setTimeout(() => this.endSoon(), limits.commitSoonMs)
  }

  /** Now it goes like everything else. */
  private endSoon(): void {
    for (const pending of this.soon.splice(0)) this.add(pending)
  }

  waitingCount(): number {
    let count = this.collected.length
    for (const { length } of this.sent.values()) count += length
    return count
  }

  oldestWaitMs(): number {
    const [oldest] = this.sent.values().next().value ?? this.collected
    return oldest === undefined ? 0 : performance.now() - oldest.handedInAt
  }

  async drain(): Promise<void> {
    this.send()
    const { thread } = this
    if (thread === undefined) return
    const number = (this.lastNumber += 1)
    await new Promise<void>((resolve) => {
      this.drains.set(number, resolve)
      post(thread, { kind: 'drain', number })
    })
  }

  async close(): Promise<void> {
    await this.drain()
    this.isClosed = true
    const { thread } = this
    if (thread === undefined) return
    post(thread, { kind: 'close' })
    await once(thread, 'exit')
  }

  private start(): void {
    const thread = new Worker(new URL('commit-thread.ts', import.meta.url), {
      workerData: { path: this.store.path, bounds: this.store.bounds },
      resourceLimits: { maxYoungGenerationSizeMb: youngGenerationMb },
    })
    this.thread = thread
    thread.on('message', (reply: CommitReply) => this.read(reply))
    thread.on('error', (err: unknown) => this.log?.error({ err }, 'the committing thread has failed'))
    thread.on('exit', () => void this.restart())
  }

  private async restart(): Promise<void> {
    this.thread = undefined
    for (const number of this.sent.keys()) refuse(this.take(number))
    for (const number of this.drains.keys()) this.endDrain(number)
    if (this.isClosed) return
    await sleep(restartMs, undefined, { ref: false })
    if (!this.isClosed) this.start()
  }

  private send(): void {
    const pending = [...this.collected, ...this.soon]
    clearTimeout(this.soonTimer)
    clearTimeout(this.collectedTimer)
    if (pending.length === 0) return
    this.collected = []
    this.soon = []
    try {
      this.hand(pending)
    } catch {
      // Something of a work is no plain data: a bug, but no reason to refuse the others, or to end the
      // process.
      for (const each of pending) this.handAlone(each)
    }
  }

  private handAlone(pending: Pending): void {
    try {
      this.hand([pending])
    } catch (error) {
      pending.reject(
        error instanceof Error ? error : new Error('a work could not be packed', { cause: error }),
      )
    }
  }

  /** Throws when one of them cannot be handed to a thread; none of them is then. */
  private hand(pending: Pending[]): void {
    const { thread } = this
    if (thread === undefined) {
      refuse(pending)
      return
    }
    const number = (this.lastNumber += 1)
    const works = packWorks(pending.map(({ work }) => work))
    post(thread, { kind: 'commit', number, works }, [works.payloads.buffer])
    this.sent.set(number, pending)
  }

  private read(reply: CommitReply): void {
    switch (reply.kind) {
      case 'committed':
        this.answer(reply.number, reply.results)
        break
      case 'drained':
        this.endDrain(reply.number)
        break
      case 'error':
        this.log?.error(reply.fields, reply.message)
        break
    }
  }

  private answer(number: number, results: readonly WorkReply[]): void {
    const taken = this.take(number)
    // First, so that the thread commits while these are answered.
    if (this.collected.length > 0) this.send()
    for (const [index, { resolve, reject }] of taken.entries()) {
      const reply = results[index]
      if (reply?.ok === true) {
        this.store.condition.noteSuccess()
        resolve(reply.result)
        continue
      }
      const error = reply === undefined ? new Error('a work was not answered') : fromFailure(reply)
      if (error instanceof StoreUnavailableError) this.store.condition.noteFailure(error)
      reject(error)
    }
  }

  private take(number: number): Pending[] {
    const pending = this.sent.get(number) ?? []
    this.sent.delete(number)
    return pending
  }

  private endDrain(number: number): void {
    this.drains.get(number)?.()
    this.drains.delete(number)
  }
}

function refuse(pending: readonly Pending[]): void {
  for (const { reject } of pending) reject(new StoreUnavailableError('CLOSED'))
}

function post(thread: Worker, request: CommitRequest, transfer: ArrayBuffer[] = []): void {
  thread.postMessage(request, transfer)
}
