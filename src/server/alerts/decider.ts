import type { AlertResult } from '#alerts/decide.ts'
import { limits } from '#server/limits.ts'
import type { Log } from '#server/log.ts'
import { compareCrashFree } from '#server/store/alerts/crash-free.ts'
import type { DecideOptions } from '#server/store/alerts/decision-writer.ts'
import { decideWaitingAlerts } from '#server/store/alerts/decisions.ts'
import { dropOldTransitions } from '#server/store/alerts/queue.ts'
import { createKnownRules } from '#server/store/alerts/rules.ts'
import { compareThresholds } from '#server/store/alerts/thresholds/thresholds.ts'
import type { LastRuns } from '#server/store/alerts/thresholds/thresholds.ts'
import { compareTroubles } from '#server/store/alerts/troubles.ts'
import { findDatabaseFolder } from '#server/store/engine/database-folder.ts'
import { readFreeSpace } from '#server/store/engine/sqlite/free-space.ts'
import type { FreeSpace } from '#server/store/engine/sqlite/free-space.ts'
import { findUnavailability } from '#server/store/errors.ts'
import { createFailureLog, ProjectFailures } from '#server/store/project-failures.ts'
import type { Store } from '#server/store/store.ts'
import { logUnreadableRows } from '#server/store/unreadable-rows.ts'

type DeciderResult = 'done' | 'failed'

/** Evaluates alert rules for queued transitions. */
export interface AlertDecider {
  /** Checks every `limits.alertTickMs`: for transitions of other processes, and by users. */
  start(): void
  /** Call when events were committed: checks after `limits.alertWakeMs`. Does nothing before the start. */
  wake(): void
  /** Checks now. Logs failures. */
  check(): Promise<DeciderResult>
  stop(): Promise<void>
  /** Rule decisions of this process, by result. */
  readonly decisionCounts: ReadonlyMap<AlertResult, number>
  /** Transitions that this process dropped: see `limits.alertTransitionsKept`. */
  readonly countDropped: () => number
}

export interface AlertDeciderOptions {
  store: Store
  log: Log
  /** True if a mail server is configured. */
  hasMail: boolean
  /** Reads the free disk space; by default that of the database, if it is on this machine. */
  readSpace?: () => FreeSpace | undefined
}

/** Creates a stopped decider. Several processes may run one each: each transition is decided once. */
export function createAlertDecider(options: AlertDeciderOptions): AlertDecider {
  const { store, log, readSpace = () => readSpaceOf(store) } = options
  let interval: NodeJS.Timeout | undefined
  let timer: NodeJS.Timeout | undefined
  let deciding: Promise<DeciderResult> | undefined
  let comparing: Promise<DeciderResult> | undefined
  const knownRules = createKnownRules()
  const decisionCounts = new Map<AlertResult, number>()
  const lastRuns: LastRuns = new Map()

  const logFailure = createFailureLog(log, 'the alert rules of a project could not be evaluated')
  const report = (error: unknown) => reportFailure(log, error)
  const isDue = createIntervalCheck()
  const bound = createQueueBound(options)

  const decide = () => {
    const failures = new ProjectFailures(logFailure)
    deciding ??= decideAll(options, { knownRules, decisionCounts, failures })
      .then(() => bound.check(failures))
      .catch(report)
      .finally(() => {
        deciding = undefined
      })
    return deciding
  }
  const compareAll = async (): Promise<DeciderResult> => {
    const now = store.clock()
    const failures = new ProjectFailures(logFailure)
    let count = 0
    if (isDue('troubles', limits.alertTroubleMs, now))
      count += await compareTroubles(store, { now, space: readSpace(), failures })
    if (isDue('crash-free', limits.alertCrashFreeMs, now))
      count += await compareCrashFree(store, { now, knownRules, failures })
    count += await compareThresholds(store, { now: store.clock(), knownRules, lastRuns, failures })
    // A transition that was queued during the decisions may have been missed.
    const decided = count > 0 ? await decide().then(decide) : 'done'
    return failures.projectIds.length === 0 ? decided : 'failed'
  }
  /** With many watched issues this takes long, so decisions do not wait for it. */
  const compare = () => {
    comparing ??= compareAll()
      .catch(report)
      .finally(() => {
        comparing = undefined
      })
    return comparing
  }
  const check = async () => {
    const results = await Promise.all([decide(), compare()])
    return results.includes('failed') ? 'failed' : 'done'
  }
  return {
    start() {
      interval = setInterval(() => void check(), limits.alertTickMs).unref()
    },
    wake() {
      if (interval === undefined || timer !== undefined) return
      timer = setTimeout(() => {
        timer = undefined
        void check()
      }, limits.alertWakeMs).unref()
    },
    check,
    decisionCounts,
    countDropped: bound.countDropped,
    async stop() {
      clearInterval(interval)
      clearTimeout(timer)
      interval = undefined
      await Promise.all([deciding, comparing])
    },
  }
}

function reportFailure(log: Log, error: unknown): DeciderResult {
  // The store logs its own unavailability. The next check retries.
  if (!findUnavailability(error)) log.error({ err: error }, 'alert rules could not be evaluated')
  return 'failed'
}

const droppedText =
  'alerts are lost: the rules of a project cannot be evaluated, for the reason of an earlier line, and the oldest ' +
  `transitions beyond ${limits.alertTransitionsKept} were dropped`

/** Bounds the queues of projects whose decisions have failed. */
function createQueueBound({ store, log }: AlertDeciderOptions) {
  const isDue = createIntervalCheck()
  let droppedCount = 0
  return {
    countDropped: () => droppedCount,
    async check({ projectIds }: ProjectFailures): Promise<DeciderResult> {
      if (projectIds.length === 0) return 'done'
      if (!isDue('queues', limits.alertTroubleMs, store.clock())) return 'failed'
      for (const projectId of projectIds) {
        const count = await dropOldTransitions(store, projectId)
        droppedCount += count
        if (count > 0) log.error({ project: projectId, count }, droppedText)
      }
      return 'failed'
    },
  }
}

/** Decides until nothing waits except in projects whose decisions have failed. */
async function decideAll(
  { store, log, hasMail }: AlertDeciderOptions,
  passed: Pick<DecideOptions, 'knownRules' | 'decisionCounts'> & { failures: ProjectFailures },
): Promise<void> {
  const { failures } = passed
  try {
    let failedCount = 0
    let decidedCount = 0
    do {
      failedCount = failures.projectIds.length
      decidedCount = await decideWaitingAlerts(store, { hasMail, ...passed, now: store.clock() })
    } while (decidedCount > 0 || failures.projectIds.length > failedCount)
  } finally {
    logUnreadableRows(log)
  }
}

/**
 * Returns a function that is true if the interval has passed since the last time, or the clock was set back.
 */
function createIntervalCheck(): (what: string, intervalMs: number, now: number) => boolean {
  const lastAt = new Map<string, number>()
  return (what, intervalMs, now) => {
    if (Math.abs(now - (lastAt.get(what) ?? -Infinity)) < intervalMs) return false
    lastAt.set(what, now)
    return true
  }
}

function readSpaceOf({ path }: Store): FreeSpace | undefined {
  const folder = findDatabaseFolder(path)
  return folder === undefined ? undefined : readFreeSpace(folder)
}
