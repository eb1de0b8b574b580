import { limits } from '#server/limits.ts'
import type { Log } from '#server/log.ts'
import { findUnavailability } from '#server/store/errors.ts'
import { doWithLease } from '#server/store/installation/lease.ts'
import { findSetting, retentionRanAtKey, setSetting } from '#server/store/installation/settings.ts'
import { createFailureLog, ProjectFailures } from '#server/store/project-failures.ts'
import { listDeletedProjects } from '#server/store/projects/deleted.ts'
import type { Store } from '#server/store/store.ts'
import { readClockState, recordClockState, recordFirstClockState } from './clock-state.ts'
import { readRetentionClock, type ClockReading } from './clock.ts'
import { hasDeletedIssues } from './deleted-issues.ts'
import { listProjectLimits } from './project-limits.ts'
import { hasDeleted, toLogFacts } from './run-report.ts'
import { retentionLease, runRetention, runTraceThinning } from './run-retention.ts'
import { findByteLimit, readDisk } from './space/space.ts'
import { listGrownProjects } from './traces/thinning.ts'

/**
 * The result of a check. `unfinished`: the runner was stopped, and another run continues; `elsewhere`:
 * another process runs retention.
 */
export type RetentionResult = 'done' | 'unfinished' | 'failed' | 'elsewhere'

/** Runs retention in the background of a server. */
export interface RetentionRunner {
  /**
   * Stores the state of the clock, checks for the first time after `limits.retentionStartDelayMs`, then every
   * `limits.retentionTickMs`.
   */
  start(): void
  /** Checks once, and runs if a run is due. Logs failures. */
  check(): Promise<RetentionResult>
  /** Runs immediately, for example because a project was deleted. */
  runNow(): void
  /** Ends a run between two of its steps, and stops checking. */
  stop(): Promise<void>
}

export interface RetentionRunnerOptions {
  store: Store
  log: Log
  /** Maximum bytes of the database. */
  maxBytes: number
  /**
   * True: a run is due an interval after the last one in any process, for instances with a shorter lifetime
   * than that. By default a run is due immediately.
   */
  isResumed?: boolean
  /** From 0 to below 1: distributes the checks of several processes. */
  random: () => number
}

/** The state of one process between runs. */
interface RunnerState {
  clock: ClockReading
  /** By the monotonic clock. */
  checkedAt: number
  /** When the next run is due, by the monotonic clock. */
  dueAt: number
  /** Until then, after an unexpected error, only the size starts a run. By the monotonic clock. */
  retryAt: number
  /** True if this process has completed a run: from then on runs of other processes count, too. */
  hasRun: boolean
  /** True if the last run could not make the database small enough: checking again soon would not help. */
  isStuck: boolean
  logFailure: (error: unknown, projectId: number) => void
}

/** Creates a runner without starting it. Several processes may run one each; only one at a time deletes. */
export function createRetentionRunner(options: RetentionRunnerOptions): RetentionRunner {
  const { random } = options
  const abort = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let checking: Promise<unknown> = Promise.resolve()
  let state: RunnerState | undefined

  const check = async (): Promise<RetentionResult> => {
    try {
      state ??= await createState(options)
      return await checkOnce(options, state, abort.signal)
    } catch (error) {
      if (abort.signal.aborted) return 'unfinished'
      reportFailure(options.log, error)
      if (state !== undefined && !findUnavailability(error)) delayRetry(state)
      return 'failed'
    }
  }
  const noteStart = async () => {
    try {
      await recordFirstClockState(options.store)
    } catch (error) {
      reportFailure(options.log, error)
    }
  }
  const schedule = (delayMs: number) => {
    if (abort.signal.aborted) return
    timer = setTimeout(() => {
      checking = checking.then(check).finally(() => schedule(limits.retentionTickMs * (0.75 + random() / 2)))
    }, delayMs)
    // The timer does not keep the process alive.
    timer.unref()
  }

  return {
    start() {
      checking = checking.then(noteStart)
      schedule(limits.retentionStartDelayMs * (0.75 + random() / 2))
    },
    check,
    runNow() {
      if (!abort.signal.aborted) checking = checking.then(check)
    },
    async stop() {
      abort.abort()
      clearTimeout(timer)
      await checking
    },
  }
}

async function createState({ store, log, isResumed = false }: RetentionRunnerOptions): Promise<RunnerState> {
  if (isResumed) await recordFirstClockState(store)
  const now = performance.now()
  const clock = { isTrusted: true, ...(await readClockState(store)) }
  // Each run stores the state of the clock at its end.
  const sinceLastMs = isResumed ? Math.abs(store.clock() - clock.trustedAt) : limits.retentionIntervalMs
  const dueAt = now + Math.max(0, limits.retentionIntervalMs - sinceLastMs)
  const logFailure = createFailureLog(log, 'retention of a project failed and is tried again in the next run')
  return { clock, checkedAt: now, dueAt, retryAt: 0, hasRun: false, isStuck: false, logFailure }
}

function delayRetry(state: RunnerState): void {
  state.retryAt = performance.now() + limits.retentionRetryMs
}

/** Checks clock and size, and runs if it is due or the database is too large. */
async function checkOnce(
  options: RetentionRunnerOptions,
  state: RunnerState,
  signal: AbortSignal,
): Promise<RetentionResult> {
  const now = performance.now()
  noteClock(options, state, now)
  const hasFailed = now < state.retryAt
  const isCalledFor =
    (!hasFailed && (await hasDeletions(options.store))) || (!state.isStuck && isTooLarge(options))
  if ((hasFailed || now < state.dueAt) && !isCalledFor) return thinGrownTraces(options, signal)
  const work = await doWithLease(options.store, retentionLease, async () => {
    const ageMs = state.hasRun && !isCalledFor ? await findRunAge(options.store) : undefined
    const result = ageMs === undefined ? await runOnce(options, state, signal) : 'done'
    state.hasRun = true
    const waitMs = limits.retentionIntervalMs * (0.9 + options.random() / 5) - (ageMs ?? 0)
    state.dueAt = now + waitMs
    return result
  })
  return work.isDone ? work.result : 'elsewhere'
}

/** True if users have deleted projects or issues whose rows still exist. */
async function hasDeletions(store: Store): Promise<boolean> {
  return (await listDeletedProjects(store.db)).length > 0 || hasDeletedIssues(store)
}

/** Between two runs only traces above their budget are deleted. */
async function thinGrownTraces(
  { store, log }: RetentionRunnerOptions,
  signal: AbortSignal,
): Promise<RetentionResult> {
  const find = async () => listGrownProjects(store, await listProjectLimits(store.db, undefined))
  if ((await find()).length === 0) return 'done'
  const { isDone } = await doWithLease(store, retentionLease, async () => {
    // Another process may have thinned them meanwhile.
    const report = await runTraceThinning(store, await find(), signal)
    log.info(toLogFacts(report), 'retention has deleted traces over the budget of their project')
  })
  return isDone ? 'done' : 'elsewhere'
}

/** Milliseconds since any process last ran retention; undefined if a run is due. */
async function findRunAge(store: Store): Promise<number | undefined> {
  const ranAt = await findSetting(store.db, retentionRanAtKey)
  const ageMs = store.clock() - Number(ranAt ?? Number.NaN)
  // A time in the future does not count: the clock may have been set back.
  return ageMs >= 0 && ageMs < limits.retentionIntervalMs * 0.9 ? ageMs : undefined
}

function noteClock({ store, log }: RetentionRunnerOptions, state: RunnerState, now: number): void {
  const wasTrusted = state.clock.isTrusted
  const check = { now: store.clock(), elapsedMs: now - state.checkedAt }
  const { trustedAt: expectedAt } = state.clock
  state.clock = readRetentionClock(state.clock, check)
  state.checkedAt = now
  if (wasTrusted && !state.clock.isTrusted) {
    log.warn({ shows: new Date(check.now), expected: new Date(expectedAt) }, doubtedClockMessage)
  }
}

const doubtedClockMessage =
  'the clock jumped far ahead: age-based retention is paused until the clock is corrected or a day has passed; ' +
  'if it is correct, run "culvert retention run --trust-clock"'

/** True if a run should not wait until it is due. */
function isTooLarge({ store, maxBytes }: RetentionRunnerOptions): boolean {
  const { usedBytes, fileBytes, freePages } = store.engine.readSize()
  const disk = readDisk(store)
  const couldShrink = disk !== undefined && disk.missingBytes > 0 && freePages > 0
  return couldShrink || usedBytes > findByteLimit({ maxBytes, fileBytes, disk })
}

async function runOnce(
  { store, log, maxBytes }: RetentionRunnerOptions,
  state: RunnerState,
  signal: AbortSignal,
): Promise<'done' | 'failed'> {
  const { isTrusted: isClockTrusted } = state.clock
  const failures = new ProjectFailures((error, project) => {
    // The runner was stopped.
    if (signal.aborted) throw error
    state.logFailure(error, project)
  })
  const disk = readDisk(store)
  const report = await runRetention({ store, maxBytes, disk, isClockTrusted, signal, failures })
  await recordClockState(store, state.clock)
  await setSetting(store, retentionRanAtKey, String(store.clock()))
  state.isStuck = report.space === 'exhausted'
  const facts = toLogFacts(report)
  if (hasDeleted(report)) log.info(facts, 'retention has deleted expired data')
  else log.debug(facts, 'retention found nothing to delete')
  if (state.isStuck) log.warn({ byteLimit: report.byteLimit, usedBytes: report.usedBytesAfter }, stuckMessage)
  if (failures.projectIds.length === 0) return 'done'
  delayRetry(state)
  return 'failed'
}

const stuckMessage =
  'the database uses more than it may although retention has deleted everything it can: raise CULVERT_MAX_BYTES or make room'

function reportFailure(log: Log, error: unknown): void {
  const unavailable = findUnavailability(error)
  if (unavailable) log.warn({ reason: unavailable.reason }, 'retention could not write and tries again later')
  else log.error({ err: error }, 'retention failed and tries again later')
}
