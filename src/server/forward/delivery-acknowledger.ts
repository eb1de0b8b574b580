import { limits } from '#server/limits.ts'
import type { Committer } from '#server/store/ingest/committer.ts'
import type { UpstreamReference } from '#server/store/ingest/records.ts'

/** The result of an envelope: delivered, unless `rejected` is set. */
export interface Delivery {
  number: number
  rejected?: { problem: string; body?: Uint8Array }
}

interface PendingDelivery {
  delivery: Delivery
  /** Unix milliseconds. */
  at: number
  resolve: () => void
}

/** Commits the results of an upstream's envelopes, those of one tick of the event loop together. */
export class DeliveryAcknowledger {
  private readonly committer: Committer
  private readonly clock: () => number
  private pending: PendingDelivery[] = []
  private isStopped = false

  constructor(committer: Committer, clock: () => number) {
    this.committer = committer
    this.clock = clock
  }

  /**
   * Resolves after the commit. Until then the envelope remains in flight, so that a full disk does not cause
   * it to be sent again.
   */
  acknowledge(upstream: UpstreamReference, delivery: Delivery): Promise<void> {
    return new Promise((resolve) => {
      if (this.pending.push({ delivery, at: this.clock(), resolve }) === 1)
        setImmediate(() => void this.commit(upstream))
    })
  }

  /** From now on a failed commit is not retried: the envelope is sent again after the next start. */
  stop(): void {
    this.isStopped = true
  }

  private async commit({ projectId, upstreamId }: UpstreamReference): Promise<void> {
    const { pending } = this
    this.pending = []
    const deliveryResults = pending.map(({ delivery: { number, rejected }, at }) =>
      rejected === undefined
        ? { projectId, upstreamId, number }
        : { projectId, upstreamId, number, rejected: { at, ...rejected } },
    )
    const work = { events: [], outcomes: [], deadLetters: [], deliveryResults }
    for (;;) {
      try {
        await this.committer.commit(work, 'deferred')
        break
      } catch {
        // Even if the commit thread has failed, because another one starts.
        if (this.isStopped) break
        await new Promise((resolve) => {
          setTimeout(resolve, limits.forwardTickMs)
        })
      }
    }
    for (const { resolve } of pending) resolve()
  }
}
