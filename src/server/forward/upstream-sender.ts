import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ToldRateLimit } from '#protocol/rate-limits.ts'
import { limits } from '#server/limits.ts'
import type { Log } from '#server/log.ts'
import { findUnavailability } from '#server/store/errors.ts'
import type { Committer } from '#server/store/ingest/committer.ts'
import { releaseLease, takeLease } from '#server/store/installation/lease.ts'
import type { Store } from '#server/store/store.ts'
import {
  listQueued,
  OutboxReader,
  type QueuedEnvelope,
  type StoredEnvelope,
} from '#server/store/upstreams/outbox.ts'
import { parseUpstreamState, type Upstream, type UpstreamState } from '#server/store/upstreams/upstreams.ts'
import type { UpstreamConnections } from './connection.ts'
import { deliver, type DeliveryBounds } from './delivery.ts'
import { Departures, type DepartureEnd } from './departures.ts'
import { Pace, type Moment } from './pace.ts'
import { Retries } from './retries.ts'
import { Settler } from './settler.ts'
import { Suspects } from './suspects.ts'
import { judgeAnswer, type Verdict } from './verdict.ts'

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
 * Sends the envelopes of one upstream, oldest first, a few at once. Of several processes on one store, one at
 * a time sends.
 *
 * An envelope counts as sent once that is committed, and its place among those on their way is free only
 * then, and when all that were started before it have come to an end: so no more than
 * `limits.forwardConcurrency` go up a second time after a kill, and none is overtaken by as many, but those
 * on which the upstream failed while it accepted others (`Retries`). What comes in goes first, since each
 * transaction frees no more places than there are; where envelopes have waited for long beside it, they get
 * more places to be committed, `limits.forwardPlacesLate`.
 */
export class UpstreamSender {
  private readonly context: SenderContext
  private upstream: Upstream
  private readonly reader: OutboxReader
  private readonly pace = new Pace()
  private readonly suspects = new Suspects()
  private readonly retries = new Retries()
  private readonly settler: Settler
  private readonly onTheirWay = new Departures()
  private readAhead: QueuedEnvelope[] = []
  private readAheadAtMs = 0
  /** Of the oldest that waited then. Unix milliseconds. */
  private oldestReceivedAt = Number.POSITIVE_INFINITY
  private leasedUntilMs = 0
  private isStopped = false
  private isPumping = false
  private isWoken = false
  private isTurnAwaited = false
  private timer: NodeJS.Timeout | undefined
  private soonTimer: NodeJS.Timeout | undefined
  private last: UpstreamState = {}
  private adopted = ''
  private stateWrittenAtMs = Number.NEGATIVE_INFINITY
  private isStateNew = false

  constructor(context: SenderContext, upstream: Upstream, state: UpstreamState) {
    this.context = context
    this.upstream = upstream
    this.reader = new OutboxReader(context.store.db, upstream)
    this.settler = new Settler(context.committer, () => context.now().wallMs)
    this.adopt(state)
  }

  /** Goes on with what another process, or a person, has changed about the upstream. */
  update(upstream: Upstream, state: UpstreamState): void {
    const isTriedNow = upstream.triesAsked > this.upstream.triesAsked
    this.upstream = upstream
    if (!this.hasLease()) this.adopt(state)
    if (isTriedNow) void this.retryNow()
    else this.wake()
  }

  /**
   * Only what is news: its times are by the clock that people set, and read again and again they would move
   * with it.
   */
  private adopt(state: UpstreamState): void {
    const text = JSON.stringify(state)
    if (text === this.adopted) return
    this.adopted = text
    this.last = state
    this.pace.adopt(state, this.context.now())
    this.suspects.adopt(state.suspects)
  }

  /** Looks for something to send. Costs little when there is nothing. */
  wake(): void {
    if (this.isStopped) return
    this.isWoken = true
    if (!this.isPumping) void this.pump()
  }

  /** Looks for it in a moment, once for all that comes meanwhile. */
  wakeSoon(): void {
    if (this.isStopped || this.soonTimer !== undefined) return
    this.soonTimer = setTimeout(() => {
      this.soonTimer = undefined
      this.wake()
    }, limits.forwardWakeMs).unref()
  }

  /** What the upstream takes no more of at the moment. */
  listHeld(): ToldRateLimit[] {
    return this.pace.listHeld(this.context.now().monotonicMs)
  }

  /** Whether anything is kept from going up: then what waits may become too old. */
  isHeldUp(): boolean {
    const { monotonicMs } = this.context.now()
    return this.upstream.isPaused || this.pace.failureCount > 0 || this.pace.listHeld(monotonicMs).length > 0
  }

  /** Tries at once, whatever was held back. */
  private async retryNow(): Promise<void> {
    this.pace.reset()
    this.requeueRetries()
    // Where another process sends, what is known is its own to write.
    if (await this.holdLease().catch(() => false)) this.isStateNew = true
    this.wake()
  }

  /** Starts nothing more and resolves when what is on its way has come to an end. */
  async stop(): Promise<void> {
    this.isStopped = true
    this.settler.stop()
    clearTimeout(this.timer)
    while (this.onTheirWay.count > 0 || this.isPumping) await sleep(10)
    await this.writeState()
    await this.giveLeaseBack()
  }

  private async pump(): Promise<void> {
    this.isPumping = true
    try {
      while (this.isWoken && !this.isStopped) {
        this.isWoken = false
        await this.fill()
      }
      if (this.onTheirWay.count === 0) this.reader.clear()
      void this.writeStateAtItsTime()
    } catch (error) {
      // The store: what waits stays there, and the next look tries again.
      const reason = findUnavailability(error)?.reason
      this.context.log.warn(reason === undefined ? { err: error } : { reason }, 'the outbox cannot be read')
    } finally {
      this.isPumping = false
      this.schedule()
    }
  }

  /** Starts as many deliveries as may be on their way. */
  private async fill(): Promise<void> {
    while (!this.isStopped && this.countFree() > 0) {
      const next = await this.takeNext()
      if (next === undefined || !(await this.holdLease())) return
      this.onTheirWay.start(next.number)
      // What has waited by itself may be gone: it is read again.
      const isListed = this.isReadAheadFresh() && !this.retries.has(next.number)
      const known = isListed ? this.reader.find(next) : undefined
      void this.send(next, known)
      // What comes in goes first: a block is read and inflated in a turn of the event loop of its own.
      if (known === undefined) await nextTurn()
    }
  }

  private countFree(): number {
    if (this.upstream.isPaused) return 0
    const { wallMs, monotonicMs } = this.context.now()
    const atOnce = this.pace.allowance(monotonicMs)
    const isLate = this.oldestReceivedAt < wallMs - limits.forwardLateMs
    const isWell = atOnce === limits.forwardConcurrency
    return this.onTheirWay.countFree({ atOnce, places: isWell && isLate ? limits.forwardPlacesLate : atOnce })
  }

  /** Nobody else has taken anything out of the queue since, or only a moment ago. */
  private isReadAheadFresh(): boolean {
    return performance.now() - this.readAheadAtMs < limits.forwardTickMs
  }

  private async takeNext(): Promise<QueuedEnvelope | undefined> {
    const { monotonicMs } = this.context.now()
    const lanes = this.pace.listOpenLanes(monotonicMs)
    if (lanes.length === 0) return undefined
    const due = this.retries.takeDue(
      monotonicMs,
      ({ lane, number }) => lanes.includes(lane) && !this.onTheirWay.has(number),
    )
    if (due !== undefined) return due
    if (this.readAhead.length === 0) {
      const limit = limits.forwardReadAhead + this.onTheirWay.count + this.retries.count
      this.readAheadAtMs = performance.now()
      const queued = await listQueued(this.context.store.db, this.upstream, { lanes, limit })
      this.oldestReceivedAt = queued[0]?.receivedAt ?? Number.POSITIVE_INFINITY
      this.readAhead = queued.filter(
        ({ number }) => !this.onTheirWay.has(number) && !this.retries.has(number),
      )
    }
    const isProbe = this.pace.failureCount > 0
    const place = isProbe ? this.suspects.placeOfProbe(this.readAhead, this.context.random()) : 0
    return this.readAhead.splice(place, 1)[0]
  }

  private hasLease(): boolean {
    return performance.now() < this.leasedUntilMs
  }

  private async holdLease(): Promise<boolean> {
    const { store, holder } = this.context
    const nowMs = performance.now()
    if (nowMs < this.leasedUntilMs - limits.leaseMs / 2) return true
    const isTaken = await takeLease(store, toLeaseName(this.upstream.upstreamId), holder)
    this.leasedUntilMs = isTaken ? nowMs + limits.leaseMs : 0
    if (!isTaken) this.requeueRetries()
    return isTaken
  }

  /** Leaves those that wait by themselves to the queue, where they are the oldest. */
  private requeueRetries(): void {
    this.retries.clear()
    this.readAhead = []
  }

  private async giveLeaseBack(): Promise<void> {
    if (!this.hasLease()) return
    this.leasedUntilMs = 0
    const { store, holder } = this.context
    // One that cannot be given back runs out.
    await releaseLease(store, toLeaseName(this.upstream.upstreamId), holder).catch(() => undefined)
  }

  private async send(queued: QueuedEnvelope, known?: StoredEnvelope): Promise<void> {
    const { number } = queued
    let end: DepartureEnd = 'again'
    try {
      const found = known ?? (await this.reader.read(number))
      if (found === 'gone') this.suspects.forget(number)
      if (typeof found === 'string') this.retries.forget(number)
      if (found === 'damaged') await this.settler.settle(this.upstream, { number, refused: damaged })
      end = typeof found === 'string' ? 'ended' : await this.sendEnvelope(queued, found)
    } catch (error) {
      this.context.log.error({ err: error }, 'an envelope could not be sent on')
      await sleep(limits.forwardTickMs)
    } finally {
      // It was passed over when the next ones were read.
      if (this.onTheirWay.end(number, end)) this.readAhead = []
      if (this.readAhead.length > 0) this.wakeNextTurn()
      else this.wakeSoon()
    }
  }

  /** Once for all that have come to an end in this turn of the event loop. */
  private wakeNextTurn(): void {
    if (this.isTurnAwaited) return
    this.isTurnAwaited = true
    setImmediate(() => {
      this.isTurnAwaited = false
      this.wake()
    })
  }

  private async sendEnvelope(queued: QueuedEnvelope, envelope: StoredEnvelope): Promise<DepartureEnd> {
    const { number, lane } = queued
    const { connections, bounds, now, random } = this.context
    const sentAtMs = now().monotonicMs
    const answer = await deliver(this.upstream, envelope, { connections, ...(bounds && { bounds }) })
    const { wallMs, monotonicMs } = now()
    // The connections are cut at the end: that is no failure of the upstream.
    if (this.isStopped && answer.kind === 'failed') return 'again'
    const verdict = this.judge(number, judgeAnswer(answer, lane, wallMs))
    const failuresBefore = this.pace.failureCount
    const canWait = this.retries.hasRoomFor(number)
    const isAlone = this.pace.note(verdict, { sentAtMs, nowMs: monotonicMs, random: random(), canWait })
    this.noteState(verdict, wallMs)
    this.tellChange(failuresBefore, verdict)
    // What is held back now may be among those that were read.
    if (verdict.holds.length > 0) this.readAhead = []
    if (isAlone) {
      this.retries.delay(queued, { nowMs: monotonicMs, random: random() })
      return 'ended'
    }
    if (verdict.end === 'again') {
      this.requeueRetries()
      return 'again'
    }
    this.retries.forget(number)
    const refused = verdict.end === 'refused' ? { problem: verdict.told, body: envelope.body } : undefined
    this.onTheirWay.noteAnswer(number)
    // The next one need not wait for the commit where there are more places.
    this.wakeNextTurn()
    await this.settler.settle(this.upstream, { number, ...(refused && { refused }) })
    return 'ended'
  }

  /** What becomes of an envelope after an answer; one that fails while others are taken is set aside. */
  private judge(number: number, verdict: Verdict): Verdict {
    if (verdict.end !== 'again') {
      this.suspects.noteTaken(number)
      return verdict
    }
    if (!verdict.isFailure || !this.suspects.noteFailure(number)) return verdict
    this.suspects.forget(number)
    // Nothing that speaks against the upstream.
    return { ...verdict, end: 'refused', isFailure: false, told: `${verdict.told}, and others were taken` }
  }

  private noteState({ end, told }: Verdict, wallMs: number): void {
    this.last = {
      ...this.last,
      answeredAt: wallMs,
      answer: told,
      ...(end === 'delivered' && { deliveredAt: wallMs }),
    }
    this.isStateNew = true
  }

  private tellChange(failuresBefore: number, { told }: Verdict): void {
    const { failureCount } = this.pace
    const upstream = `${this.upstream.dsn.host}/${this.upstream.dsn.projectId}`
    if (failuresBefore === 0 && failureCount > 0)
      this.context.log.warn({ upstream, told }, 'an upstream is unreachable: its envelopes are queued')
    if (failuresBefore > 0 && failureCount === 0)
      this.context.log.info({ upstream }, 'an upstream accepts envelopes again')
  }

  private async writeStateAtItsTime(): Promise<void> {
    const { monotonicMs } = this.context.now()
    if (!this.isStateNew || monotonicMs - this.stateWrittenAtMs < limits.forwardStateMs) return
    this.stateWrittenAtMs = monotonicMs
    await this.writeState()
  }

  private async writeState(): Promise<void> {
    if (!this.isStateNew) return
    this.isStateNew = false
    const { deliveredAt, answeredAt, answer } = this.last
    const state: UpstreamState = {
      ...this.pace.toState(this.context.now()),
      suspects: this.suspects.toState(),
      ...(deliveredAt !== undefined && { deliveredAt }),
      ...(answeredAt !== undefined && { answeredAt }),
      ...(answer !== undefined && { answer }),
    }
    const { projectId, upstreamId } = this.upstream
    const text = JSON.stringify(state)
    this.adopted = JSON.stringify(parseUpstreamState(text))
    const upstreamStates = [{ projectId, upstreamId, state: text }]
    try {
      await this.context.committer.commit(
        { events: [], outcomes: [], deadLetters: [], upstreamStates },
        'deferred',
      )
    } catch {
      this.isStateNew = true
    }
  }

  /** Comes back when a delay or a limit is over. */
  private schedule(): void {
    clearTimeout(this.timer)
    const { monotonicMs } = this.context.now()
    const times = [this.pace.findNextAtMs(monotonicMs), this.retries.findNextAtMs(monotonicMs)]
    const nextAtMs = Math.min(...times.map((at) => at ?? Number.POSITIVE_INFINITY))
    if (!Number.isFinite(nextAtMs) || this.isStopped) return
    const waitMs = Math.min(nextAtMs - monotonicMs, limits.forwardRetryMaxMs) / this.context.speed
    this.timer = setTimeout(() => this.wake(), waitMs).unref()
  }
}

/** Of an envelope whose bytes cannot be read any more: it must not hold up those behind it. */
const damaged = { problem: 'its bytes are damaged in the store' }

/** The lease under which one process at a time sends to an upstream. */
export function toLeaseName(upstreamId: string): string {
  return `forward:${upstreamId}`
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}
