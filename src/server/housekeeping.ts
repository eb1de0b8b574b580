import type { AlertDecider } from './alerts/decider.ts'
import type { AlertDeliverer } from './alerts/deliverer.ts'
import type { PasswordLinkMailer } from './auth/password-link-mailer.ts'
import type { Forwarder } from './forward/forwarder.ts'
import type { RejectedCounts } from './ingest/rejected-counts.ts'
import type { IssueTimer } from './issue-timer.ts'
import { limits } from './limits.ts'
import type { Log } from './log.ts'
import type { MonitorClock } from './monitors/monitor-clock.ts'
import { createRetentionRunner, type RetentionResult } from './retention/runner.ts'
import { createCommitter, type Committer } from './store/ingest/committer.ts'
import type { Store } from './store/store.ts'

/**
 * The background work of a server, on a host that suspends its instances between requests. Every part is
 * bounded, holds a lease, and may be interrupted at any moment.
 */
export interface Housekeeping {
  /**
   * Writes the data that this instance has in memory, counts its events, mails requested links for new
   * passwords, evaluates alert rules, sends their messages, and forwards the envelopes that it has queued.
   * Call it after each answer and let the host wait. Starts nothing long after `endsAt`, by the monotonic
   * clock; by default `limits.serverlessWorkMs` from now. Cheap if there is nothing to do; calls during a
   * run share the next one. Never rejects.
   */
  settle(endsAt?: number): Promise<void>
  /**
   * Runs a slice of all due work of any process: counts, ends of archives, deliveries, retention, monitors,
   * alerts and their messages, then assignees without access. Takes at most `limits.serverlessWorkMs`. Never
   * rejects.
   */
  runSlice(): Promise<HousekeepingReport>
}

/** The result of a slice. */
export interface HousekeepingReport {
  /** `unfinished`: it needs more slices, and the next one continues. `elsewhere`: another process runs it. */
  retention: RetentionResult
  /** Parts that failed, at least in part. The log has the reasons. */
  failed: string[]
  tookMs: number
}

export interface HousekeepingOptions {
  store: Store
  log: Log
  /** Maximum bytes of the database. */
  maxBytes: number
  committer: Committer
  rejectedCounts: Pick<RejectedCounts, 'flush'>
  forwarder: Pick<Forwarder, 'deliver'>
  issueTimer: Pick<IssueTimer, 'reopen' | 'unassign'>
  alertDecider: Pick<AlertDecider, 'check'>
  alertDeliverer: Pick<AlertDeliverer, 'deliver'>
  monitorClock: Pick<MonitorClock, 'check'>
  passwordLinkMailer: Pick<PasswordLinkMailer, 'deliver'>
}

/** Creates the housekeeping of an instance. */
export function createHousekeeping(options: HousekeepingOptions): Housekeeping {
  const { log, committer, rejectedCounts, forwarder, alertDecider, alertDeliverer } = options
  const { monitorClock, passwordLinkMailer } = options
  let last: Promise<unknown> = Promise.resolve()
  let next: Promise<void> | undefined
  /** The end for the latest request: until then the host lets this instance run. */
  let endsAt = 0

  const settleNow = async (leftMs: TimeLeft) => {
    await rejectedCounts.flush()
    await committer.drain()
    // At the same time, because the mail server may not answer.
    await Promise.all([passwordLinkMailer.deliver(leftMs()), watch(leftMs)])
    const sendMs = leftMs(limits.forwardSliceMs)
    if (sendMs > 0) await forwarder.deliver({ sendMs, awaitLeaseMs: limits.forwardSliceLeaseMs })
  }
  const watch = async (leftMs: TimeLeft) => {
    await monitorClock.check(AbortSignal.timeout(leftMs()))
    await alertDecider.check()
    await alertDeliverer.deliver({ sendMs: leftMs(limits.alertSliceMs), awaitMs: leftMs() })
  }
  return {
    settle(until = performance.now() + limits.serverlessWorkMs) {
      endsAt = Math.max(endsAt, until)
      next ??= last.then(() => {
        next = undefined
        const run = settleNow(timeLeftUntil(endsAt)).catch((error: unknown) => {
          log.error(
            { err: error },
            'work after an answer failed: the next request or the cron route repeats it',
          )
        })
        last = run
        return run
      })
      return next
    },
    runSlice: () => runSlice(options),
  }
}

/** Milliseconds until the work has to end, at most `atMostMs`. */
type TimeLeft = (atMostMs?: number) => number

function timeLeftUntil(endsAt: number): TimeLeft {
  return (atMostMs = limits.serverlessWorkMs) =>
    Math.max(0, Math.min(atMostMs, Math.floor(endsAt - performance.now())))
}

async function runSlice({
  store,
  log,
  maxBytes,
  forwarder,
  issueTimer,
  alertDecider,
  alertDeliverer,
  monitorClock,
}: HousekeepingOptions): Promise<HousekeepingReport> {
  const beganAt = performance.now()
  const leftMs = timeLeftUntil(beganAt + limits.serverlessWorkMs)
  const failed: string[] = []
  const attempt = async <Result extends string>(part: string, work: () => Promise<Result>) => {
    let result: Result | 'failed' = 'failed'
    try {
      // Most parts have already logged the reason of their result.
      result = await work()
    } catch (error) {
      log.error({ err: error, part }, 'a part of the housekeeping failed: the next slice repeats it')
    }
    if (result === 'failed') failed.push(part)
    return result
  }
  await attempt('counts', () => countLeftEvents(store, log))
  await attempt('archives', () => issueTimer.reopen())
  const alert = async () => {
    await attempt('monitors', () => monitorClock.check(AbortSignal.timeout(leftMs())))
    await attempt('alerts', () => alertDecider.check())
    await attempt('messages', () =>
      alertDeliverer.deliver({ sendMs: leftMs(limits.alertSliceMs), awaitMs: leftMs() }),
    )
  }
  const forwardAndDelete = async () => {
    const sendMs = leftMs(limits.forwardCronMs)
    await attempt('deliveries', () => forwarder.deliver({ sendMs, awaitLeaseMs: sendMs }, 'always'))
    return attempt('retention', () => {
      const endMs = leftMs(limits.retentionCronMs)
      return runRetentionSlice({ store, log, maxBytes, endMs })
    })
  }
  // In parallel, so that hosts and receivers that do not answer do not delay the rest.
  const [retention] = await Promise.all([forwardAndDelete(), alert()])
  // Last: after an account was deleted there may be many.
  await attempt('assignees', () => issueTimer.unassign(limits.unassignedAtOnce))
  return { retention, failed, tookMs: Math.round(performance.now() - beganAt) }
}

/** A new committer counts the events that ended instances have left uncounted. */
async function countLeftEvents(store: Store, log: Log): Promise<'done' | 'failed'> {
  const committer = createCommitter(store, log)
  await committer.drain()
  return committer.hasFailedToCount() ? 'failed' : 'done'
}

async function runRetentionSlice({
  endMs,
  ...options
}: Pick<HousekeepingOptions, 'store' | 'log' | 'maxBytes'> & { endMs: number }): Promise<RetentionResult> {
  const runner = createRetentionRunner({ ...options, isResumed: true, random: Math.random })
  const end = setTimeout(() => void runner.stop(), endMs)
  const result = await runner.check()
  clearTimeout(end)
  return result
}
