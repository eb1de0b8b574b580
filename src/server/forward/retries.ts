import { limits } from '#server/limits.ts'
import type { QueuedEnvelope } from '#server/store/upstreams/outbox.ts'
import { retryDelayMs } from './pace.ts'

interface Retry {
  queued: QueuedEnvelope
  failureCount: number
  /** Monotonic milliseconds; infinite while it is on its way again. */
  dueAtMs: number
}

/**
 * The envelopes that an upstream rejected while it accepted others. Each of them waits by itself, so that one
 * rejection does not slow down the rest. Only in memory: after a restart they are the oldest of the queue
 * again.
 */
export class Retries {
  private readonly retries = new Map<number, Retry>()

  get count(): number {
    return this.retries.size
  }

  has(number: number): boolean {
    return this.retries.has(number)
  }

  /** True while one more has room. */
  hasRoomFor(number: number): boolean {
    return this.retries.has(number) || this.retries.size < limits.forwardRetriesWaiting
  }

  /** Lets an envelope wait, longer with each of its failures. `random`: 0 to below 1. */
  delay(queued: QueuedEnvelope, { nowMs, random }: { nowMs: number; random: number }): void {
    const failureCount = this.retries.get(queued.number)?.failureCount ?? 0
    const dueAtMs = nowMs + retryDelayMs(failureCount, random)
    this.retries.set(queued.number, { queued, failureCount: failureCount + 1, dueAtMs })
  }

  /** The oldest whose delay is over and that `maySend` allows. It is on its way from then on. */
  takeDue(nowMs: number, maySend: (queued: QueuedEnvelope) => boolean): QueuedEnvelope | undefined {
    let oldest: Retry | undefined
    for (const retry of this.retries.values()) {
      if (retry.dueAtMs > nowMs || !maySend(retry.queued)) continue
      if (oldest === undefined || retry.queued.number < oldest.queued.number) oldest = retry
    }
    if (oldest === undefined) return undefined
    oldest.dueAtMs = Number.POSITIVE_INFINITY
    return oldest.queued
  }

  /** When the next delay is over; undefined when nothing waits. */
  findNextAtMs(nowMs: number): number | undefined {
    const times = [...this.retries.values()].map(({ dueAtMs }) => dueAtMs)
    const waiting = times.filter((at) => at > nowMs && Number.isFinite(at))
    return waiting.length === 0 ? undefined : Math.min(...waiting)
  }

  /** Its envelope was accepted, rejected for good, or is gone. */
  forget(number: number): void {
    this.retries.delete(number)
  }

  /** Leaves all of them to the queue. */
  clear(): void {
    this.retries.clear()
  }
}
