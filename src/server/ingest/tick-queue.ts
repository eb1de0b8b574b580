import { limits } from '#server/limits.ts'
import type { Committer } from '#server/store/ingest/committer.ts'

interface WaitingRequest {
  /** By the monotonic clock. */
  since: number
  resolve: () => void
}

/**
 * Requests whose body has been read, in order, until the end of their tick of the event loop. It only saves
 * CPU time, as `readBody` of `receive.ts` explains; `npm run bench -- ingest` measures it.
 */
export class TickQueue {
  private readonly committer: Pick<Committer, 'waitingCount'>
  private waiting: WaitingRequest[] = []

  constructor(committer: Pick<Committer, 'waitingCount'>) {
    this.committer = committer
  }

  /**
   * Resolves when everything that arrived in this tick has been read. Of many requests it releases half per
   * tick, so that processing overlaps with committing, instead of all requests waiting for each other. The
   * half includes entries that are being committed.
   */
  endOfTick(): Promise<void> {
    return new Promise((resolve) => {
      if (this.waiting.push({ since: performance.now(), resolve }) === 1) setImmediate(() => this.release())
    })
  }

  /** Milliseconds for which the oldest request has waited; 0 without one. */
  oldestWaitMs(): number {
    const [oldest] = this.waiting
    return oldest === undefined ? 0 : performance.now() - oldest.since
  }

  private release(): void {
    const half = Math.ceil((this.waiting.length + this.committer.waitingCount()) / 2)
    const released = this.waiting
    this.waiting = released.splice(Math.max(half, limits.workedOnTogether))
    if (this.waiting.length > 0) setImmediate(() => this.release())
    // They are processed together, because none of them awaits anything else.
    for (const { resolve } of released) resolve()
  }
}
