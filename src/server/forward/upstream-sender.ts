import { setImmediate as nextTick } from 'node:timers/promises'
import type { AdvertisedRateLimit } from '#protocol/rate-limits.ts'
import { limits } from '#server/limits.ts'
import { findUnavailability } from '#server/store/errors.ts'
import { HeldLease } from '#server/store/installation/held-lease.ts'
import { OutboxReader, type QueuedEnvelope, type StoredEnvelope } from '#server/store/upstreams/outbox.ts'
import type { Upstream, UpstreamState } from '#server/store/upstreams/upstreams.ts'
import { AnswerHandler } from './answer-handler.ts'
import { DeliveryAcknowledger } from './delivery-acknowledger.ts'
import { deliver } from './delivery.ts'
import type { SendResult } from './in-flight-window.ts'
import { toLeaseName } from './lease-name.ts'
import { Pace } from './pace.ts'
import { PoisonDetector } from './poison-detector.ts'
import { SendQueue } from './send-queue.ts'
import type { SenderContext } from './sender-context.ts'
import { UpstreamStateWriter } from './upstream-state-writer.ts'
import { WakeUp } from './wake-up.ts'

/**
 * Sends the envelopes of one upstream, oldest first, several at the same time. Of several processes on one
 * store, the holder of the lease sends.
 *
 * An envelope leaves the window when its end is committed and all envelopes started before it have ended. So
 * at most `limits.forwardConcurrency` are sent a second time after a kill, and none is overtaken by more,
 * except those on which the upstream failed while it accepted others (`Retries`). Ingest has priority: each
 * transaction frees no more than the window. If envelopes have been queued for long, the window is larger,
 * `limits.forwardWindowLate`.
 */
export class UpstreamSender {
  private readonly context: SenderContext
  private upstream: Upstream
  private readonly reader: OutboxReader
  private readonly lease: HeldLease
  private readonly pace = new Pace()
  private readonly poison = new PoisonDetector()
  private readonly queue: SendQueue
  private readonly answers: AnswerHandler
  private readonly acknowledger: DeliveryAcknowledger
  private readonly state: UpstreamStateWriter
  private readonly wakeUp = new WakeUp(() => this.wake())
  private isStopped = false
  private isPumping = false
  private isWoken = false
  /** True if another process holds the lease, and there are envelopes to send. */
  isAwaitingLease = false
  /** True if the store has failed. Queued envelopes are sent later. */
  hasFailed = false

  constructor(context: SenderContext, upstream: Upstream, state: UpstreamState) {
    const { store, committer, holder, now } = context
    this.context = context
    this.upstream = upstream
    this.reader = new OutboxReader(store.db, upstream)
    this.lease = new HeldLease(store, toLeaseName(upstream.upstreamId), holder)
    this.acknowledger = new DeliveryAcknowledger(committer, () => now().wallMs)
    this.state = new UpstreamStateWriter(committer, () => ({
      ...this.pace.toState(now()),
      poisonCandidates: this.poison.toState(),
    }))
    const { pace, poison } = this
    this.queue = new SendQueue({ context, pace, poison })
    this.answers = new AnswerHandler({ context, pace, poison, queue: this.queue, state: this.state })
    this.adopt(state)
  }

  /** Applies changes of another process or a user to the upstream. */
  update(upstream: Upstream, state: UpstreamState): void {
    const isRetryRequested = upstream.requestedRetryCount > this.upstream.requestedRetryCount
    this.upstream = upstream
    if (!this.lease.isHeld()) this.adopt(state)
    if (isRetryRequested) void this.retryNow()
    else this.wake()
  }

  private adopt(state: UpstreamState): void {
    if (!this.state.adopt(state)) return
    this.pace.adopt(state, this.context.now())
    this.poison.adopt(state.poisonCandidates)
  }

  /** Sends all envelopes that can be sent. Cheap if there are none. */
  wake(): void {
    if (this.isStopped) return
    this.isWoken = true
    if (!this.isPumping) void this.pump()
  }

  /** Wakes after a short delay, once for all calls until then. */
  wakeDeferred(): void {
    this.wakeUp.deferred()
  }

  /** The rate limits of the upstream. */
  listRateLimits(): AdvertisedRateLimit[] {
    return this.pace.listRateLimits(this.context.now().monotonicMs)
  }

  /** True if no envelope is in flight, and no further one can be sent now. */
  get isIdle(): boolean {
    return !this.isPumping && !this.isWoken && this.queue.inFlightCount === 0 && !this.wakeUp.isSoon
  }

  /** True if envelopes are delayed for any reason, so that queued ones can expire. */
  isStalled(): boolean {
    return this.upstream.isPaused || this.pace.failureCount > 0 || this.listRateLimits().length > 0
  }

  /** Retries immediately, without delays and limits. */
  private async retryNow(): Promise<void> {
    this.pace.reset()
    this.queue.requeueRetries()
    // The process that sends writes the state.
    if (await this.holdLease().catch(() => false)) this.state.noteChange()
    this.wake()
  }

  /** Starts no more requests and resolves when no envelope is in flight. */
  async stop(): Promise<void> {
    this.isStopped = true
    this.acknowledger.stop()
    this.wakeUp.stop()
    while (this.queue.inFlightCount > 0 || this.isPumping) await sleep(10)
    await this.state.write(this.upstream)
    await this.lease.release()
  }

  private async pump(): Promise<void> {
    this.isPumping = true
    try {
      while (this.isWoken && !this.isStopped) {
        this.isWoken = false
        await this.fill()
      }
      if (this.queue.inFlightCount === 0) this.reader.clear()
      void this.state.writeWhenDue(this.upstream, this.context.now().monotonicMs)
    } catch (error) {
      // The envelopes remain in the store, and the next wake-up retries.
      this.hasFailed = true
      const reason = findUnavailability(error)?.reason
      this.context.log.warn(reason === undefined ? { err: error } : { reason }, 'the outbox cannot be read')
    } finally {
      this.isPumping = false
      this.schedule()
    }
  }

  /** Starts as many deliveries as fit into the window. */
  private async fill(): Promise<void> {
    this.isAwaitingLease = false
    // Large envelopes take longer than a lease.
    if (this.queue.inFlightCount > 0 && this.lease.isHeld()) await this.holdLease()
    while (!this.isStopped && this.queue.countFree(this.upstream) > 0) {
      const next = await this.queue.takeNext(this.upstream)
      if (next === undefined || !(await this.holdLeaseFor(next))) return
      this.queue.start(next.number)
      const known = this.queue.isFresh(next.number) ? this.reader.find(next) : undefined
      void this.send(next, known)
      // Ingest has priority: a block is read and decompressed in a separate tick.
      if (known === undefined) await nextTick()
    }
  }

  private async holdLeaseFor({ number }: QueuedEnvelope): Promise<boolean> {
    try {
      return await this.holdLease()
    } catch (error) {
      this.queue.returnRetry(number)
      throw error
    }
  }

  private async holdLease(): Promise<boolean> {
    const isHeld = await this.lease.hold()
    this.isAwaitingLease = !isHeld
    if (!isHeld) this.queue.requeueRetries()
    return isHeld
  }

  private async send(queued: QueuedEnvelope, known?: StoredEnvelope): Promise<void> {
    const { number } = queued
    let result: SendResult = 'retry'
    try {
      const found = known ?? (await this.reader.read(number))
      if (found === 'gone') this.poison.forget(number)
      if (typeof found === 'string') this.queue.forgetRetry(number)
      if (found === 'damaged')
        await this.acknowledger.acknowledge(this.upstream, { number, rejected: damaged })
      result = typeof found === 'string' ? 'ended' : await this.sendEnvelope(queued, found)
    } catch (error) {
      this.hasFailed = true
      this.queue.returnRetry(number)
      this.context.log.error({ err: error }, 'an envelope could not be forwarded')
      await sleep(limits.forwardTickMs)
    } finally {
      this.queue.end(number, result)
      if (this.queue.hasReadAhead) this.wakeUp.atEndOfTick()
      else this.wakeUp.deferred()
    }
  }

  private async sendEnvelope(queued: QueuedEnvelope, envelope: StoredEnvelope): Promise<SendResult> {
    const { connections, bounds, now } = this.context
    const sentAtMs = now().monotonicMs
    const answer = await deliver(this.upstream, envelope, { connections, ...(bounds && { bounds }) })
    // The shutdown closes the connections, which is not a failure of the upstream.
    if (this.isStopped && answer.kind === 'failed') return 'retry'
    const result = this.answers.handle(this.upstream, { queued, envelope, sentAtMs, answer })
    if (result.kind === 'retry') return 'retry'
    if (result.kind === 'delayed') return 'ended'
    this.queue.noteAnswer(queued.number)
    // If the window has room, the next envelope need not wait for the commit.
    this.wakeUp.atEndOfTick()
    await this.acknowledger.acknowledge(this.upstream, result.delivery)
    return 'ended'
  }

  /** Wakes when a delay or a limit ends. */
  private schedule(): void {
    const { monotonicMs } = this.context.now()
    const nextAtMs = this.queue.findNextAtMs(monotonicMs)
    if (nextAtMs === undefined) return this.wakeUp.after(undefined)
    this.wakeUp.after(Math.min(nextAtMs - monotonicMs, limits.forwardRetryMaxMs) / this.context.speed)
  }
}

/** Rejects an envelope whose bytes cannot be read, so that it does not block those after it. */
const damaged = { problem: 'its bytes are damaged in the store' }

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}
