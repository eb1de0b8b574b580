import { setImmediate as nextTick } from 'node:timers/promises'
import type { AdvertisedRateLimit } from '#protocol/rate-limits.ts'
import { limits } from '#server/limits.ts'
import type { Log } from '#server/log.ts'
import { findUnavailability } from '#server/store/errors.ts'
import type { Committer } from '#server/store/ingest/committer.ts'
import type { Store } from '#server/store/store.ts'
import {
  listQueued,
  OutboxReader,
  type QueuedEnvelope,
  type StoredEnvelope,
} from '#server/store/upstreams/outbox.ts'
import type { Upstream, UpstreamState } from '#server/store/upstreams/upstreams.ts'
import type { UpstreamConnections } from './connection.ts'
import { DeliveryAcknowledger } from './delivery-acknowledger.ts'
import { deliver, type DeliveryBounds } from './delivery.ts'
import { InFlightWindow, type SendEnd } from './in-flight-window.ts'
import { Pace, type Moment } from './pace.ts'
import { PoisonDetector } from './poison-detector.ts'
import { ReadAhead } from './read-ahead.ts'
import { Retries } from './retries.ts'
import { UpstreamLease } from './upstream-lease.ts'
import { UpstreamStateWriter } from './upstream-state-writer.ts'
import { judgeAnswer, type Verdict } from './verdict.ts'
import { WakeUp } from './wake-up.ts'

/** What senders share. */
export interface SenderContext {
  store: Store
  committer: Committer
  log: Log
  connections: UpstreamConnections
  /** This process, among those that send. */
  holder: string
  now: () => Moment
  /** How many milliseconds of `now` pass in one on the wall: 1, but for tests of what takes hours. */
  speed: number
  /** 0 to below 1. */
  random: () => number
  bounds?: DeliveryBounds
}

/**
 * Sends the envelopes of one upstream, oldest first, several at the same time. Of several processes on one
 * store, the holder of the lease sends.
 *
 * An envelope leaves the window when its end is committed and all envelopes started before it have ended. So
 * at most `limits.forwardConcurrency` are sent a second time after a kill, and none is overtaken by more,
 * except those on which the upstream failed while it accepted others (`Retries`). Ingest has priority: each
 * transaction frees no more than the window. If envelopes have waited for long, the window is larger,
 * `limits.forwardPlacesLate`.
 */
export class UpstreamSender {
  private readonly context: SenderContext
  private upstream: Upstream
  private readonly reader: OutboxReader
  private readonly lease: UpstreamLease
  private readonly pace = new Pace()
  private readonly poison = new PoisonDetector()
  private readonly retries = new Retries()
  private readonly inFlight = new InFlightWindow()
  private readonly readAhead = new ReadAhead()
  private readonly acknowledger: DeliveryAcknowledger
  private readonly state: UpstreamStateWriter
  private readonly wakeUp = new WakeUp(() => this.wake())
  private isStopped = false
  private isPumping = false
  private isWoken = false

  constructor(context: SenderContext, upstream: Upstream, state: UpstreamState) {
    const { store, committer, holder, now } = context
    this.context = context
    this.upstream = upstream
    this.reader = new OutboxReader(store.db, upstream)
    this.lease = new UpstreamLease(store, upstream.upstreamId, holder)
    this.acknowledger = new DeliveryAcknowledger(committer, () => now().wallMs)
    this.state = new UpstreamStateWriter(committer, () => ({
      ...this.pace.toState(now()),
      poisonCandidates: this.poison.toState(),
    }))
    this.adopt(state)
  }

  /** Adopts what another process or a user has changed about the upstream. */
  update(upstream: Upstream, state: UpstreamState): void {
    const isRetryRequested = upstream.triesAsked > this.upstream.triesAsked
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

  /** Sends what can be sent. Cheap when there is nothing. */
  wake(): void {
    if (this.isStopped) return
    this.isWoken = true
    if (!this.isPumping) void this.pump()
  }

  /** Wakes in a moment, once for all calls until then. */
  wakeDeferred(): void {
    this.wakeUp.deferred()
  }

  /** The rate limits of the upstream. */
  listRateLimits(): AdvertisedRateLimit[] {
    return this.pace.listRateLimits(this.context.now().monotonicMs)
  }

  /** True if anything delays envelopes: then those that wait can expire. */
  isHeldUp(): boolean {
    return this.upstream.isPaused || this.pace.failureCount > 0 || this.listRateLimits().length > 0
  }

  /** Retries at once, without delays and limits. */
  private async retryNow(): Promise<void> {
    this.pace.reset()
    this.requeueRetries()
    // The process that sends writes the state.
    if (await this.holdLease().catch(() => false)) this.state.noteChange()
    this.wake()
  }

  /** Starts nothing more and resolves when no envelope is in flight. */
  async stop(): Promise<void> {
    this.isStopped = true
    this.acknowledger.stop()
    this.wakeUp.stop()
    while (this.inFlight.count > 0 || this.isPumping) await sleep(10)
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
      if (this.inFlight.count === 0) this.reader.clear()
      void this.state.writeWhenDue(this.upstream, this.context.now().monotonicMs)
    } catch (error) {
      // The envelopes stay in the store, and the next wake-up tries again.
      const reason = findUnavailability(error)?.reason
      this.context.log.warn(reason === undefined ? { err: error } : { reason }, 'the outbox cannot be read')
    } finally {
      this.isPumping = false
      this.schedule()
    }
  }

  /** Starts as many deliveries as fit into the window. */
  private async fill(): Promise<void> {
    while (!this.isStopped && this.countFree() > 0) {
      const next = await this.takeNext()
      if (next === undefined || !(await this.holdLease())) return
      this.inFlight.start(next.number)
      // An envelope that has waited for its retry may be deleted: it is read again.
      const isListed = this.readAhead.isFresh() && !this.retries.has(next.number)
      const known = isListed ? this.reader.find(next) : undefined
      void this.send(next, known)
      // Ingest has priority: a block is read and inflated in a tick of its own.
      if (known === undefined) await nextTick()
    }
  }

  private countFree(): number {
    if (this.upstream.isPaused) return 0
    const { wallMs, monotonicMs } = this.context.now()
    const atOnce = this.pace.allowance(monotonicMs)
    const isLate = atOnce === limits.forwardConcurrency && this.readAhead.isLate(wallMs)
    return this.inFlight.countFree({ atOnce, places: isLate ? limits.forwardPlacesLate : atOnce })
  }

  private async takeNext(): Promise<QueuedEnvelope | undefined> {
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
        () => listQueued(this.context.store.db, this.upstream, { categories, limit }),
        ({ number }) => this.inFlight.has(number) || this.retries.has(number),
      )
    }
    const isProbe = this.pace.failureCount > 0
    return this.readAhead.take((queued) =>
      isProbe ? this.poison.indexOfProbe(queued, this.context.random()) : 0,
    )
  }

  private async holdLease(): Promise<boolean> {
    const isHeld = await this.lease.hold()
    if (!isHeld) this.requeueRetries()
    return isHeld
  }

  /** Returns the envelopes that wait for a retry to the queue, where they are the oldest. */
  private requeueRetries(): void {
    this.retries.clear()
    this.readAhead.clear()
  }

  private async send(queued: QueuedEnvelope, known?: StoredEnvelope): Promise<void> {
    const { number } = queued
    let end: SendEnd = 'again'
    try {
      const found = known ?? (await this.reader.read(number))
      if (found === 'gone') this.poison.forget(number)
      if (typeof found === 'string') this.retries.forget(number)
      if (found === 'damaged')
        await this.acknowledger.acknowledge(this.upstream, { number, refused: damaged })
      end = typeof found === 'string' ? 'ended' : await this.sendEnvelope(queued, found)
    } catch (error) {
      this.context.log.error({ err: error }, 'an envelope could not be sent on')
      await sleep(limits.forwardTickMs)
    } finally {
      // The last read left out an envelope that is to be sent again.
      if (this.inFlight.end(number, end)) this.readAhead.clear()
      if (this.readAhead.count > 0) this.wakeUp.atEndOfTick()
      else this.wakeUp.deferred()
    }
  }

  private async sendEnvelope(queued: QueuedEnvelope, envelope: StoredEnvelope): Promise<SendEnd> {
    const { number, category } = queued
    const { connections, bounds, now, random } = this.context
    const sentAtMs = now().monotonicMs
    const answer = await deliver(this.upstream, envelope, { connections, ...(bounds && { bounds }) })
    const { wallMs, monotonicMs } = now()
    // Connections are closed at the end: that is no failure of the upstream.
    if (this.isStopped && answer.kind === 'failed') return 'again'
    const verdict = this.judge(number, judgeAnswer(answer, category, wallMs))
    const failuresBefore = this.pace.failureCount
    const canWait = this.retries.hasRoomFor(number)
    const isAlone = this.pace.note(verdict, { sentAtMs, nowMs: monotonicMs, random: random(), canWait })
    this.state.noteAnswer(verdict, wallMs)
    this.logChange(failuresBefore, verdict)
    // The envelopes that were read may be in a category that is rate-limited now.
    if (verdict.rateLimits.length > 0) this.readAhead.clear()
    if (isAlone) {
      this.retries.delay(queued, { nowMs: monotonicMs, random: random() })
      return 'ended'
    }
    if (verdict.end === 'again') {
      this.requeueRetries()
      return 'again'
    }
    this.retries.forget(number)
    const refused = verdict.end === 'rejected' ? { problem: verdict.answer, body: envelope.body } : undefined
    this.inFlight.noteAnswer(number)
    // If the window has room, the next one need not wait for the commit.
    this.wakeUp.atEndOfTick()
    await this.acknowledger.acknowledge(this.upstream, { number, ...(refused && { refused }) })
    return 'ended'
  }

  /** The end of an envelope after an answer: poison is rejected. */
  private judge(number: number, verdict: Verdict): Verdict {
    if (verdict.end !== 'again') {
      this.poison.noteAccepted(number)
      return verdict
    }
    if (!verdict.isFailure || !this.poison.noteFailure(number)) return verdict
    this.poison.forget(number)
    // Not a failure of the upstream.
    return {
      ...verdict,
      end: 'rejected',
      isFailure: false,
      answer: `${verdict.answer}, and others were taken`,
    }
  }

  private logChange(failuresBefore: number, { answer }: Verdict): void {
    const { failureCount } = this.pace
    const upstream = `${this.upstream.dsn.host}/${this.upstream.dsn.projectId}`
    if (failuresBefore === 0 && failureCount > 0)
      this.context.log.warn({ upstream, answer }, 'an upstream is unreachable: its envelopes are queued')
    if (failuresBefore > 0 && failureCount === 0)
      this.context.log.info({ upstream }, 'an upstream accepts envelopes again')
  }

  /** Wakes when a delay or a limit is over. */
  private schedule(): void {
    const { monotonicMs } = this.context.now()
    const times = [this.pace.findNextAtMs(monotonicMs), this.retries.findNextAtMs(monotonicMs)]
    const nextAtMs = Math.min(...times.map((at) => at ?? Number.POSITIVE_INFINITY))
    const waitMs = Math.min(nextAtMs - monotonicMs, limits.forwardRetryMaxMs) / this.context.speed
    this.wakeUp.after(Number.isFinite(nextAtMs) ? waitMs : undefined)
  }
}

/** Rejects an envelope whose bytes cannot be read, so that it does not block those after it. */
const damaged = { problem: 'its bytes are damaged in the store' }

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}
