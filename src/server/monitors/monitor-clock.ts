import { randomUUID } from 'node:crypto'
import { limits } from '#server/limits.ts'
import type { Log } from '#server/log.ts'
import type { PrivateDestinations } from '#server/private-destinations.ts'
import { findUnavailability } from '#server/store/errors.ts'
import { HeldLease } from '#server/store/installation/held-lease.ts'
import { applyQueue, endDueSlots, hasMonitorWork } from '#server/store/monitors/apply.ts'
import { restoreUptimeStates } from '#server/store/monitors/changes.ts'
import { isClockSetBack, listClockGaps, recordTick } from '#server/store/monitors/clock-row.ts'
import {
  deleteLostSignals,
  deleteSignal,
  listSignals,
  recordFailureEvent,
  recordRecovery,
  type QueuedSignal,
} from '#server/store/monitors/signals.ts'
import { createFailureLog, ProjectFailures } from '#server/store/project-failures.ts'
import type { Store } from '#server/store/store.ts'
import { logUnreadableRows } from '#server/store/unreadable-rows.ts'
import { createConnectRule, type CheckedHost } from './checks/connect-rule.ts'
import { createNetworkTest } from './checks/second-target.ts'
import { UptimeRunner } from './checks/uptime-runner.ts'
import { toFailureEnvelope } from './failure-event.ts'
import { SlotRestarts } from './slot-restarts.ts'

type ClockResult = 'done' | 'failed'

/** Applies check-ins to their monitors, ends runs that did not report in time, and runs uptime checks. */
export interface MonitorClock {
  /** Checks every `limits.monitorTickMs`. */
  start(): void
  /** Call when check-ins were committed. Does nothing before the start. */
  wake(): void
  /**
   * Checks now, unless another process does, and waits for the uptime checks; `until` aborts those that take
   * longer. Logs failures.
   */
  check(until?: AbortSignal): Promise<ClockResult>
  stop(): Promise<void>
}

export interface MonitorClockOptions {
  store: Store
  log: Log
  /** True if the host suspends its instances: time without a tick is then not an outage. */
  isServerless: boolean
  /** Ingests an envelope of this process. */
  ingest: (envelope: { projectId: number; body: Uint8Array }) => Promise<unknown>
  uptime: {
    /** Private hosts and networks that may be checked. */
    privateDestinations: PrivateDestinations
    /** Contacted before a first failure counts; undefined: hosts of other monitors are. */
    secondTarget?: CheckedHost | undefined
  }
}

/** Maximum number of transactions per check, so that a long queue does not delay the ticks. */
const passesAtOnce = 200

/** Creates a stopped clock. Several processes may have one each: only the holder of the lease works. */
export function createMonitorClock(options: MonitorClockOptions): MonitorClock {
  const { store, log } = options
  const lease = new HeldLease(store, 'monitors', randomUUID())
  const checks = runnerOf(options)
  const restarts = new SlotRestarts(store)
  const logFailure = createFailureLog(log, 'the monitors of a project could not be checked')
  let interval: NodeJS.Timeout | undefined
  let timer: NodeJS.Timeout | undefined
  let working: Promise<ClockResult> | undefined

  let lastNow = 0
  let isRestored = false

  const work = async (until?: AbortSignal): Promise<ClockResult> => {
    if (!(await hasMonitorWork(store.db)) || !(await lease.hold())) return 'done'
    const now = store.clock()
    const failures = new ProjectFailures(logFailure)
    // Otherwise checks would wait until the clock has caught up.
    if (now < lastNow - limits.monitorGapMs) await restarts.request('uptime')
    lastNow = now
    const restoring = new ProjectFailures(logFailure)
    if (!isRestored) await restoreUptimeStates(store, { now, failures: restoring })
    isRestored = restoring.projectIds.length === 0
    await runMonitors(options, { checks, restarts }, { failures, until })
    return isRestored && failures.projectIds.length === 0 ? 'done' : 'failed'
  }
  const check = (until?: AbortSignal) => {
    working ??= work(until)
      .catch((error: unknown): ClockResult => {
        // The store logs its own unavailability. The next check retries.
        if (!findUnavailability(error)) log.error({ err: error }, 'monitors could not be checked')
        return 'failed'
      })
      .finally(() => {
        working = undefined
        logUnreadableRows(log)
      })
    return working
  }
  const checkAndWait = async (until?: AbortSignal) => {
    const result = await check(until)
    if (!checks.isBusy) return result
    await checks.settle()
    // Only applies the results: a check that began now would not be awaited.
    return check(AbortSignal.abort())
  }
  return {
    start() {
      interval = setInterval(() => void check(), limits.monitorTickMs).unref()
    },
    wake() {
      if (interval === undefined || timer !== undefined) return
      timer = setTimeout(() => {
        timer = undefined
        void check()
      }, limits.monitorWakeMs).unref()
    },
    async check(until) {
      // A check in progress may have missed check-ins that were committed since.
      await working
      const result = await checkAndWait(until)
      // A serverless instance is not stopped, but suspended: with the lease it would keep the others from
      // checking.
      if (options.isServerless) await lease.release()
      return result
    },
    async stop() {
      clearInterval(interval)
      clearTimeout(timer)
      interval = undefined
      await working
      await checks.stop()
      await lease.release()
    },
  }
}

function runnerOf({ store, log, uptime }: MonitorClockOptions): UptimeRunner {
  const rule = createConnectRule(uptime.privateDestinations)
  const network = createNetworkTest({ store, rule, configured: uptime.secondTarget })
  return new UptimeRunner({ store, log, rule, network })
}

/** A tick: queued check-ins first, so that one in time is not missed. */
async function runMonitors(
  { store, ingest, isServerless }: MonitorClockOptions,
  { checks, restarts }: { checks: UptimeRunner; restarts: SlotRestarts },
  { failures, until }: { failures: ProjectFailures; until: AbortSignal | undefined },
): Promise<void> {
  const now = store.clock()
  if (await isClockSetBack(store.db, now)) await restarts.request('all')
  await restarts.run({ now, failures })
  // Only now: a process that is killed before leaves the restarts to the next one.
  await recordTick(store, { now, gapMs: isServerless ? Infinity : limits.monitorGapMs })
  const gaps = await listClockGaps(store.db, now - limits.checkInAgeMs)
  const step = { now, gaps, failures }
  for (let pass = 0; pass < passesAtOnce; pass += 1)
    if ((await applyQueue(store, step)) < limits.monitorsAtOnce) break
  await checks.apply(step)
  for (let pass = 0; pass < passesAtOnce; pass += 1)
    if ((await endDueSlots(store, step)) < limits.monitorsAtOnce) break
  await checks.begin(now, until)
  await publishSignals(store, ingest, failures)
}

/**
 * Creates events from failures and resolves the issues of recoveries. If the process is killed in between,
 * the next one ingests the same event again, which is then a duplicate.
 */
async function publishSignals(
  store: Store,
  ingest: MonitorClockOptions['ingest'],
  failures: ProjectFailures,
): Promise<void> {
  for (let pass = 0; pass < passesAtOnce; pass += 1) {
    const { signals, unreadable } = await listSignals(store.db, failures)
    for (const each of signals) {
      const { projectId } = each.monitor
      // In order: the next tick publishes the others of a failed project.
      if (!failures.has(projectId)) await failures.attempt(projectId, () => publish(store, each, ingest))
    }
    for (const each of unreadable) await deleteSignal(store, each)
    if (signals.length + unreadable.length < limits.monitorSignalsAtOnce) break
  }
  await deleteLostSignals(store)
}

async function publish(
  store: Store,
  queued: QueuedSignal,
  ingest: MonitorClockOptions['ingest'],
): Promise<void> {
  const body = toFailureEnvelope(queued)
  if (body === undefined) {
    await recordRecovery(store, queued, store.clock())
    return
  }
  await ingest({ projectId: queued.monitor.projectId, body })
  await recordFailureEvent(store, queued, store.clock())
}
