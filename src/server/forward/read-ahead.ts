import { limits } from '#server/limits.ts'
import type { QueuedEnvelope } from '#server/store/upstreams/outbox.ts'

/** The next envelopes of an upstream's queue, read in advance. */
export class ReadAhead {
  private envelopes: QueuedEnvelope[] = []
  private readAtMs = 0
  /** When the oldest envelope of the last read was received. Unix milliseconds. */
  private oldestReceivedAt = Number.POSITIVE_INFINITY
  private endedSinceFill = new Set<number>()
  private clearCount = 0

  get count(): number {
    return this.envelopes.length
  }

  /** True if the envelopes were read just now, so that they are still queued. */
  isFresh(): boolean {
    return performance.now() - this.readAtMs < limits.forwardTickMs
  }

  /** True if the oldest envelope has been queued for longer than `limits.forwardLateMs`. */
  isLate(wallMs: number): boolean {
    return this.oldestReceivedAt < wallMs - limits.forwardLateMs
  }

  /**
   * Reads the queue without envelopes in flight. If it is cleared meanwhile, it remains empty: an answer may
   * have started a rate limit, or returned an envelope to the queue.
   */
  async fill(
    read: () => Promise<QueuedEnvelope[]>,
    isSent: (queued: QueuedEnvelope) => boolean,
  ): Promise<void> {
    this.readAtMs = performance.now()
    this.endedSinceFill = new Set()
    const { clearCount } = this
    const queued = await read()
    if (clearCount !== this.clearCount) return
    this.oldestReceivedAt = queued[0]?.receivedAt ?? Number.POSITIVE_INFINITY
    this.envelopes = queued.filter((each) => !isSent(each) && !this.endedSinceFill.has(each.number))
  }

  /**
   * Records the committed end of an envelope. A read that began before the commit still returns the envelope,
   * and would send it again.
   */
  noteEnd(number: number): void {
    this.endedSinceFill.add(number)
  }

  /** Removes and returns the envelope at the index that `choose` returns. */
  take(choose: (queued: readonly QueuedEnvelope[]) => number): QueuedEnvelope | undefined {
    return this.envelopes.splice(choose(this.envelopes), 1)[0]
  }

  /** Clears the envelopes: the next `take` needs another `fill`. */
  clear(): void {
    this.clearCount += 1
    this.envelopes = []
  }
}
