import { limits } from '#server/limits.ts'
import type { QueuedEnvelope } from '#server/store/upstreams/outbox.ts'
import { retryDelayMs } from './pace.ts'

interface Retry {
  queued: QueuedEnvelope
  failureCount: number
  /** Monotonic milliseconds; infinite while the envelope is in flight again. */
  dueAtMs: number
}

/**
 * Envelopes that an upstream rejected while it accepted others. Each has its own delay, so that one rejection
 * does not slow down the rest. Only in memory: after a restart they are the oldest of the queue again.
 */
export class Retries {
  private readonly retries = new Map<number, Retry>()

  get count(): number {
    return this.retries.size
  }

  has(number: number): boolean {
    return this.retries.has(number)
  }

  /** True if the envelope is delayed already, or there is room for another one. */
  hasRoomFor(number: number): boolean {
    return this.retries.has(number) || this.retries.size < limits.forwardRetriesWaiting
  }

  /** Delays an envelope, longer with each of its failures. `random`: 0 to below 1. */
  delay(queued: QueuedEnvelope, { nowMs, random }: { nowMs: number; random: number }): void {
    const failureCount = this.retries.get(queued.number)?.failureCount ?? 0
    const dueAtMs = nowMs + retryDelayMs(failureCount, random)
    this.retries.set(queued.number, { queued, failureCount: failureCount + 1, dueAtMs })
  }

  /** Returns the oldest due envelope that `canSend` allows, which is from then on in flight. */
  takeDue(nowMs: number, canSend: (queued: QueuedEnvelope) => boolean): QueuedEnvelope | undefined {
    let oldest: Retry | undefined
    for (const retry of this.retries.values()) {
      if (retry.dueAtMs > nowMs || !canSend(retry.queued)) continue
      if (oldest === undefined || retry.queued.number < oldest.queued.number) oldest = retry
    }
    if (oldest === undefined) return undefined
    oldest.dueAtMs = Number.POSITIVE_INFINITY
    return oldest.queued
  }

  /** When the next envelope is due; undefined if none is delayed. */
  findNextAtMs(nowMs: number): number | undefined {
    const times = [...this.retries.values()].map(({ dueAtMs }) => dueAtMs)
    const waiting = times.filter((at) => at > nowMs && Number.isFinite(at))
    return waiting.length === 0 ? undefined : Math.min(...waiting)
  }

  /** Removes an envelope that was accepted, rejected permanently, or deleted. */
  forget(number: number): void {
    this.retries.delete(number)
  }

  /** Removes all envelopes, so that they are read from the queue again. */
  clear(): void {
    this.retries.clear()
  }
}
