import { limits } from '#server/limits.ts'
import { listQueued, type QueuedEnvelope } from '#server/store/upstreams/outbox.ts'
import type { Upstream } from '#server/store/upstreams/upstreams.ts'
import { InFlightWindow, type SendResult } from './in-flight-window.ts'
import type { Pace } from './pace.ts'
import type { PoisonDetector } from './poison-detector.ts'
import { ReadAhead } from './read-ahead.ts'
import { Retries } from './retries.ts'
import type { SenderContext } from './sender-context.ts'

interface SendQueueParts {
  context: SenderContext
  pace: Pace
  poison: PoisonDetector
}

/**
 * Chooses the envelopes of one upstream that can be sent now: due retries first, then the outbox in order,
 * within the in-flight window, the backoff and the rate limits.
 */
export class SendQueue {
  private readonly context: SenderContext
  private readonly pace: Pace
  private readonly poison: PoisonDetector
  private readonly retries = new Retries()
  private readonly inFlight = new InFlightWindow()
  private readonly readAhead = new ReadAhead()

  constructor({ context, pace, poison }: SendQueueParts) {
    this.context = context
    this.pace = pace
    this.poison = poison
  }

  get inFlightCount(): number {
    return this.inFlight.count
  }

  /** True if the next envelopes are in memory. */
  get hasReadAhead(): boolean {
    return this.readAhead.count > 0
  }

  /** How many more envelopes can be in flight. */
  countFree({ isPaused }: Upstream): number {
    if (isPaused) return 0
    const { wallMs, monotonicMs } = this.context.now()
    const atOnce = this.pace.allowance(monotonicMs)
    const isLate = atOnce === limits.forwardConcurrency && this.readAhead.isLate(wallMs)
    return this.inFlight.countFree({ atOnce, size: isLate ? limits.forwardWindowLate : atOnce })
  }

  /** Removes and returns the next envelope; undefined if none can be sent. */
  async takeNext(upstream: Upstream): Promise<QueuedEnvelope | undefined> {
    const { monotonicMs } = this.context.now()
    const categories = this.pace.listOpenCategories(monotonicMs)
    if (categories.length === 0) return undefined
    const due = this.retries.takeDue(
      monotonicMs,
      ({ category, number }) => categories.includes(category) && !this.inFlight.has(number),
    )
    if (due !== undefined) return due
    if (this.readAhead.count === 0) {
      const limit = limits.forwardReadAhead + this.inFlight.count + this.retries.count
      await this.readAhead.fill(
        () => listQueued(this.context.store.db, upstream, { categories, limit }),
        ({ number }) => this.inFlight.has(number) || this.retries.has(number),
      )
    }
    const isProbe = this.pace.failureCount > 0
    return this.readAhead.take((queued) =>
      isProbe ? this.poison.indexOfProbe(queued, this.context.random()) : 0,
    )
  }

  /**
   * True if the envelope was read from the outbox just now. One that has waited for its retry may have been
   * deleted.
   */
  isFresh(number: number): boolean {
    return this.readAhead.isFresh() && !this.retries.has(number)
  }

  /** Records that an envelope is being sent. */
  start(number: number): void {
    this.inFlight.start(number)
  }

  /** True if an envelope can be delayed for a separate retry. */
  hasRoomForRetry(number: number): boolean {
    return this.retries.hasRoomFor(number)
  }

  /** Delays an envelope for a separate retry. */
  delay(queued: QueuedEnvelope): void {
    const { now, random } = this.context
    this.retries.delay(queued, { nowMs: now().monotonicMs, random: random() })
  }

  /** Records that an envelope needs no retry. */
  forgetRetry(number: number): void {
    this.retries.forget(number)
  }

  /** Returns an envelope that was not sent to the outbox: a retry taken from here is due once. */
  returnRetry(number: number): void {
    this.retries.forget(number)
    this.readAhead.clear()
  }

  /** Records a final answer that is not committed yet. */
  noteAnswer(number: number): void {
    this.inFlight.noteAnswer(number)
  }

  /** Records the end of an attempt. */
  end(number: number, result: SendResult): void {
    if (result === 'ended') this.readAhead.noteEnd(number)
    // The envelopes in memory do not include the one to send again.
    if (this.inFlight.end(number, result)) this.readAhead.clear()
  }

  /** The rate limits have changed: the outbox must be read again. */
  clearReadAhead(): void {
    this.readAhead.clear()
  }

  /** Returns the envelopes that wait for a retry to the outbox, where they are the oldest. */
  requeueRetries(): void {
    this.retries.clear()
    this.readAhead.clear()
  }

  /** When the next delay or rate limit ends, in monotonic milliseconds; undefined if there is none. */
  findNextAtMs(monotonicMs: number): number | undefined {
    const times = [this.pace.findNextAtMs(monotonicMs), this.retries.findNextAtMs(monotonicMs)]
    const nextAtMs = Math.min(...times.map((at) => at ?? Number.POSITIVE_INFINITY))
    return Number.isFinite(nextAtMs) ? nextAtMs : undefined
  }
}
