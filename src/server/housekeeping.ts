import type { AlertDecider } from './alerts/decider.ts'
import type { AlertDeliverer } from './alerts/deliverer.ts'
import type { ArchiveTimer } from './archive-timer.ts'
import type { Forwarder } from './forward/forwarder.ts'
import type { RejectedCounts } from './ingest/rejected-counts.ts'
import { limits } from './limits.ts'
import type { Log } from './log.ts'
import type { MonitorClock } from './monitors/monitor-clock.ts'
import { createRetentionRunner, type RetentionResult } from './retention/runner.ts'
import { createCommitter, type Committer } from './store/ingest/committer.ts'
import type { Store } from './store/store.ts'

/**
 * What a long-running server does in the background, for a host that suspends its instances between requests.
 * Every part is bounded, under its lease, and may be interrupted at any moment.
 */
export interface Housekeeping {
  /**
   * Writes what this instance still holds in memory, counts its events, decides about alerts, sends their
   * messages, and sends on what it put into the outbox. Call it after each answer and let the host wait.
   * Cheap when there is nothing; calls during a run share the next one. Never rejects.
   */
  settle(): Promise<void>
  /**
   * Does a slice of everything that is due, from any process: counts, ends of archives, retention,
   * deliveries. Never rejects.
   */
  runSlice(): Promise<HousekeepingReport>
}

/** The result of a slice. */
export interface HousekeepingReport {
  /**
   * `unfinished`: it took longer than a slice may, and the next one continues. `elsewhere`: another process runs
   * it.
   */
  retention: RetentionResult
  /** Parts that failed, wholly or partly. The log has the reasons. */
  failed: string[]
  tookMs: number
}

export interface HousekeepingOptions {
  store: Store
  log: Log
  /** Bytes that the database may use at most. */
  maxBytes: number
  committer: Committer
  rejectedCounts: Pick<RejectedCounts, 'flush'>
  forwarder: Pick<Forwarder, 'deliver'>
  archiveTimer: Pick<ArchiveTimer, 'look'>
  alertDecider: Pick<AlertDecider, 'look'>
  alertDeliverer: Pick<AlertDeliverer, 'deliver'>
  monitorClock: Pick<MonitorClock, 'look'>
}

/** Creates the housekeeping of an instance. */
export function createHousekeeping(options: HousekeepingOptions): Housekeeping {
  const { log, committer, rejectedCounts, forwarder, alertDecider, alertDeliverer, monitorClock } = options
  let last: Promise<unknown> = Promise.resolve()
  let next: Promise<void> | undefined

  const settleNow = async () => {
    await rejectedCounts.flush()
    await committer.drain()
    await monitorClock.look()
    await alertDecider.look()
    await alertDeliverer.deliver({ sendMs: limits.alertSliceMs })
    await forwarder.deliver({ sendMs: limits.forwardSliceMs, awaitLeaseMs: limits.forwardSliceLeaseMs })
  }
  return {
    settle() {
      next ??= last.then(() => {
        next = undefined
        const run = settleNow().catch((error: unknown) => {
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

async function runSlice({
  store,
  log,
  maxBytes,
  forwarder,
  archiveTimer,
  alertDecider,
  alertDeliverer,
  monitorClock,
}: HousekeepingOptions): Promise<HousekeepingReport> {
  const beganAt = performance.now()
  const failed: string[] = []
  const attempt = async <Result extends string>(part: string, work: () => Promise<Result>) => {
    let result: Result | 'failed' = 'failed'
    try {
      // Most parts have logged the reason of what they return.
      result = await work()
    } catch (error) {
      log.error({ err: error, part }, 'a part of the housekeeping failed: the next slice repeats it')
    }
    if (result === 'failed') failed.push(part)
    return result
  }
  await attempt('counts', () => countLeftEvents(store, log))
  await attempt('archives', () => archiveTimer.look())
  await attempt('monitors', () => monitorClock.look())
  await attempt('alerts', () => alertDecider.look())
  await attempt('messages', () => alertDeliverer.deliver({ sendMs: limits.alertSliceMs }))
  const retention = await attempt('retention', () => runRetentionSlice({ store, log, maxBytes }))
  const { forwardCronMs } = limits
  await attempt('deliveries', () =>
    forwarder.deliver({ sendMs: forwardCronMs, awaitLeaseMs: forwardCronMs }, 'always'),
  )
  return { retention, failed, tookMs: Math.round(performance.now() - beganAt) }
}

/** A new committer finds what instances that ended have not counted. */
async function countLeftEvents(store: Store, log: Log): Promise<'done' | 'failed'> {
  const committer = createCommitter(store, log)
  await committer.drain()
  return committer.hasFailedToCount() ? 'failed' : 'done'
}

async function runRetentionSlice(
  options: Pick<HousekeepingOptions, 'store' | 'log' | 'maxBytes'>,
): Promise<RetentionResult> {
  const runner = createRetentionRunner({ ...options, isResumed: true, random: Math.random })
  const end = setTimeout(() => void runner.stop(), limits.retentionCronMs)
  const result = await runner.look()
  clearTimeout(end)
  return result
}
