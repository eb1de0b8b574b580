import type { QueuedEnvelope, StoredEnvelope } from '#server/store/upstreams/outbox.ts'
import type { Upstream } from '#server/store/upstreams/upstreams.ts'
import type { ReceivedAnswer } from './awaited-answer.ts'
import type { Delivery } from './delivery-acknowledger.ts'
import type { Pace } from './pace.ts'
import type { PoisonDetector } from './poison-detector.ts'
import type { SendQueue } from './send-queue.ts'
import type { SenderContext } from './sender-context.ts'
import type { UpstreamStateWriter } from './upstream-state-writer.ts'
import { judgeAnswer, type Verdict } from './verdict.ts'

/** One attempt to send an envelope. */
export interface Attempt {
  queued: QueuedEnvelope
  envelope: StoredEnvelope
  /** Monotonic milliseconds. */
  sentAtMs: number
  answer: ReceivedAnswer
}

/**
 * The result of an attempt: a delivery or rejection to commit; a delay of this envelope alone; or a backoff
 * of the upstream, after which the envelope is sent again.
 */
export type AttemptResult = { kind: 'final'; delivery: Delivery } | { kind: 'delayed' } | { kind: 'retry' }

interface AnswerHandlerParts {
  context: SenderContext
  pace: Pace
  poison: PoisonDetector
  queue: SendQueue
  state: UpstreamStateWriter
}

/** Applies the answers of an upstream to its backoff and rate limits, the poison detector and the queue. */
export class AnswerHandler {
  private readonly parts: AnswerHandlerParts

  constructor(parts: AnswerHandlerParts) {
    this.parts = parts
  }

  /** Handles one answer. */
  handle(upstream: Upstream, { queued, envelope, sentAtMs, answer }: Attempt): AttemptResult {
    const { context, pace, queue, state } = this.parts
    const { number, category } = queued
    const { wallMs, monotonicMs } = context.now()
    const verdict = this.judge(number, judgeAnswer(answer, category, wallMs))
    const failuresBefore = pace.failureCount
    const canWait = queue.hasRoomForRetry(number)
    const isAlone = pace.note(verdict, { sentAtMs, nowMs: monotonicMs, random: context.random(), canWait })
    state.noteAnswer(verdict, wallMs)
    this.logChange(upstream, failuresBefore, verdict)
    // The envelopes in memory may be in a category that is now rate-limited.
    if (verdict.rateLimits.length > 0) queue.clearReadAhead()
    if (isAlone) {
      queue.delay(queued)
      return { kind: 'delayed' }
    }
    if (verdict.result === 'retry') {
      queue.requeueRetries()
      return { kind: 'retry' }
    }
    queue.forgetRetry(number)
    if (verdict.result === 'delivered') return { kind: 'final', delivery: { number } }
    const rejected = { problem: verdict.answer, body: envelope.body }
    return { kind: 'final', delivery: { number, rejected } }
  }

  /** Turns the verdict on a poison envelope into a rejection. */
  private judge(number: number, verdict: Verdict): Verdict {
    const { poison } = this.parts
    if (verdict.result !== 'retry') {
      poison.noteAccepted(number)
      return verdict
    }
    if (!verdict.isFailure || !poison.noteFailure(number)) return verdict
    poison.forget(number)
    // The upstream accepts other envelopes, so this envelope is the cause.
    const answer = `${verdict.answer}, and others were accepted`
    return { ...verdict, result: 'rejected', isFailure: false, answer }
  }

  private logChange({ dsn }: Upstream, failuresBefore: number, { answer }: Verdict): void {
    const { context, pace } = this.parts
    const upstream = `${dsn.host}/${dsn.projectId}`
    if (failuresBefore === 0 && pace.failureCount > 0)
      context.log.warn({ upstream, answer }, 'an upstream is unreachable: its envelopes are queued')
    if (failuresBefore > 0 && pace.failureCount === 0)
      context.log.info({ upstream }, 'an upstream accepts envelopes again')
  }
}
