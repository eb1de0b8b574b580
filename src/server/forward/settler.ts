import { limits } from '#server/limits.ts'
import type { UpstreamReference } from '#server/store/events/record.ts'
import type { Committer } from '#server/store/ingest/committer.ts'

/** What becomes of an envelope: delivered, unless it was refused. */
export interface Settled {
  number: number
  refused?: { problem: string; body?: Uint8Array }
}

interface Pending {
  settled: Settled
  /** Unix milliseconds. */
  at: number
  resolve: () => void
}

/**
 * Has what became of envelopes of an upstream committed: together what comes in one turn of the event loop.
 */
export class Settler {
  private readonly committer: Committer
  private readonly clock: () => number
  private pending: Pending[] = []
  private isStopped = false

  constructor(committer: Committer, clock: () => number) {
    this.committer = committer
    this.clock = clock
  }

  /**
   * Resolves when it is committed: until then an envelope keeps its place, since it must not go up again only
   * because the disk is full.
   */
  settle(upstream: UpstreamReference, settled: Settled): Promise<void> {
    return new Promise((resolve) => {
      if (this.pending.push({ settled, at: this.clock(), resolve }) === 1)
        setImmediate(() => void this.commit(upstream))
    })
  }

  /** From now on what cannot be committed is left: it is sent again after the next start. */
  stop(): void {
    this.isStopped = true
  }

  private async commit({ projectId, upstreamId }: UpstreamReference): Promise<void> {
    const { pending } = this
    this.pending = []
    const settlements = pending.map(({ settled: { number, refused }, at }) =>
      refused === undefined
        ? { projectId, upstreamId, number }
        : { projectId, upstreamId, number, refused: { at, ...refused } },
    )
    const work = { events: [], outcomes: [], deadLetters: [], settlements }
    for (;;) {
      try {
        await this.committer.commit(work, 'deferred')
        break
      } catch {
        // Also when the committing thread has failed: there will be another one.
        if (this.isStopped) break
        await new Promise((resolve) => {
          setTimeout(resolve, limits.forwardTickMs)
        })
      }
    }
    for (const { resolve } of pending) resolve()
  }
}
