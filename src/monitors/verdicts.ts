import * as v from 'valibot'
import { minuteMs } from '#time/time-steps.ts'
import type { CheckIn } from './check-in.ts'
import type { MonitorSettings } from './schedule.ts'
import { firstSlot, lastSlotAt, slotAfter } from './slots.ts'
import { isUptime, type StoredSettings } from './uptime.ts'

/** How a run ended, or `in_progress`. `unknown`: Culvert could not have received its check-in. */
export const checkInStatuses = ['in_progress', 'ok', 'error', 'missed', 'timeout', 'unknown', 'log'] as const
export type CheckInStatus = (typeof checkInStatuses)[number]

/** A period in which Culvert was down, or that its clock skipped. Unix milliseconds. */
export interface ClockGap {
  from: number
  to: number
}

/** A run that has begun. */
const runSchema = v.object({ id: v.string(), startedAt: v.number(), deadlineAt: v.number() })
type Run = v.InferOutput<typeof runSchema>

/** The state of a monitor in an environment. It is created by the first check-in. */
export const monitorState = v.object({
  /** The next expected run. */
  slot: v.object({ at: v.number(), opensAt: v.number(), closesAt: v.number() }),
  /** The oldest first. */
  runs: v.array(runSchema),
  /** Consecutive, by now. */
  failureCount: v.number(),
  successCount: v.number(),
  /** The failure threshold is reached, and the recovery threshold not yet. */
  isFailing: v.boolean(),
  lastStatus: v.picklist(checkInStatuses),
  lastAt: v.number(),
  /** For the rate limit. */
  minute: v.object({ at: v.number(), count: v.number() }),
})
export type MonitorState = v.InferOutput<typeof monitorState>

/** A row to write. */
export interface CheckInChange {
  id: string
  /** False: it updates a row. */
  isNew: boolean
  status: CheckInStatus
  /** The expected time of the run; absent for a run outside the schedule. */
  slotAt?: number
  /** When it began, was expected, or was received. */
  at: number
  finishedAt?: number
  durationMs?: number
}

/** The effect of an ended run on the issue of the monitor. */
export const monitorSignal = v.variant('kind', [
  v.object({
    kind: v.literal('failed'),
    status: v.picklist(['missed', 'timeout', 'error']),
    checkInId: v.string(),
    at: v.number(),
    /** The expected time of the run; absent for a run outside the schedule. */
    expectedAt: v.optional(v.number()),
  }),
  v.object({ kind: v.literal('recovered'), checkInId: v.string(), at: v.number() }),
])
export type MonitorSignal = v.InferOutput<typeof monitorSignal>

/** The changes of a step. */
export interface Verdicts {
  state: MonitorState
  changes: CheckInChange[]
  signals: MonitorSignal[]
}

export interface VerdictContext {
  settings: StoredSettings
  gaps: readonly ClockGap[]
  createId: () => string
}

/** The same for a monitor of check-ins. */
export interface CheckInContext extends VerdictContext {
  settings: MonitorSettings
}

/** Maximum number of rows for unknown slots of a gap; further slots of the gap get none. */
const unknownRows = 60

/**
 * Maximum number of missed slots per step; further slots until the step get no rows. On a serverless host
 * days may pass between two steps.
 */
const missedRows = 60

/** Maximum number of concurrent runs. Beyond it the oldest run becomes unknown. */
const runsAtOnce = 50

/** Check-ins of a monitor and environment per minute. */
const checkInsPerMinute = 60

/** The next time at which the clock has to check a monitor. */
export function wakeAtOf({ slot, runs }: MonitorState): number {
  return Math.min(slot.closesAt, ...runs.map(({ deadlineAt }) => deadlineAt))
}

/** Ends overdue slots and runs. Does not modify the given state. */
export function advance(given: MonitorState, until: number, context: VerdictContext): Verdicts {
  const step = begin(given)
  let unknownCount = 0
  let missedCount = 0
  for (;;) {
    const { state } = step
    const run = state.runs.find(({ deadlineAt }) => deadlineAt <= until)
    if (run !== undefined && run.deadlineAt <= state.slot.closesAt) {
      endRun(step, run, context)
      continue
    }
    const { slot } = state
    if (slot.closesAt > until) return step
    const gap = findGap(slot, until, context)
    if (gap === undefined && missedCount === missedRows) {
      state.slot = slotAfter(context.settings, until)
      continue
    }
    if (gap === undefined) {
      missedCount += 1
      const id = context.createId()
      step.changes.push({ id, isNew: true, status: 'missed', slotAt: slot.at, at: slot.at })
      settle(step, { id, status: 'missed', at: slot.closesAt, expectedAt: slot.at }, context)
      state.slot = slotAfter(context.settings, slot.at)
      continue
    }
    unknownCount += 1
    if (unknownCount <= unknownRows) {
      const id = context.createId()
      step.changes.push({ id, isNew: true, status: 'unknown', slotAt: slot.at, at: slot.at })
      settle(step, { id, status: 'unknown', at: slot.at }, context)
      state.slot = slotAfter(context.settings, slot.at)
    } else {
      unknownCount = 0
      state.slot = slotAfter(context.settings, Math.max(slot.at, gap.to))
    }
  }
}

/**
 * Returns the gap because of which a slot is unknown; undefined if its check-in is missing. A check that
 * Culvert did not make is never a failure.
 */
function findGap(
  { at, opensAt, closesAt }: MonitorState['slot'],
  until: number,
  { settings, gaps }: VerdictContext,
): { to: number } | undefined {
  if (isUptime(settings)) return { to: lastSlotAt(settings, at, until) }
  return gaps.find(({ from, to }) => opensAt <= to && closesAt >= from)
}

/** The reason why a check-in is rejected. */
export type CheckInRefusal = 'monitor_finished' | 'monitor_rate'

/** A received check-in, and the ended row with its id, if there is one. */
export interface ReceivedCheckIn {
  checkIn: CheckIn
  receivedAt: number
  ended?: { status: CheckInStatus; startedAt: number }
}

/**
 * Applies a check-in. The caller has advanced the state to its time; undefined for the first check-in of an
 * environment.
 */
export function applyCheckIn(
  given: MonitorState | undefined,
  { checkIn, receivedAt: at, ended }: ReceivedCheckIn,
  context: CheckInContext,
): Verdicts | CheckInRefusal {
  const { settings } = context
  const step = begin(given ?? createState(settings, at))
  const { state } = step
  const minuteAt = Math.floor(at / minuteMs)
  const count = state.minute.at === minuteAt ? state.minute.count + 1 : 1
  if (count > checkInsPerMinute) return 'monitor_rate'
  state.minute = { at: minuteAt, count }
  const { status, durationMs } = checkIn
  if (status === 'log') {
    // An interval begins with a run, or here: its first slot ends as it begins, and would be missed.
    if (given === undefined && settings.schedule.kind === 'interval') state.slot = slotAfter(settings, at)
    step.changes.push({ id: context.createId(), isNew: true, status, at })
    return step
  }
  if (ended !== undefined && checkIn.id !== undefined) {
    // The end is known now. A timeout has been reported already, so only the end is added.
    if (ended.status !== 'timeout' && ended.status !== 'unknown') return 'monitor_finished'
    if (status === 'in_progress') return 'monitor_finished'
    const finished = { finishedAt: at, durationMs: durationMs ?? passedMs(ended, at) }
    step.changes.push({
      id: checkIn.id,
      isNew: false,
      status: ended.status === 'timeout' ? 'timeout' : status,
      at: ended.startedAt,
      ...finished,
    })
    return step
  }
  const run = findRun(state.runs, checkIn)
  if (run === undefined) begins(step, { checkIn, at }, context)
  else if (status === 'in_progress') run.deadlineAt = at + settings.maxRuntimeMinutes * minuteMs
  else {
    state.runs = state.runs.filter((each) => each !== run)
    step.changes.push({
      id: run.id,
      isNew: false,
      status,
      at: run.startedAt,
      finishedAt: at,
      durationMs: durationMs ?? passedMs(run, at),
    })
    settle(step, { id: run.id, status, at }, context)
  }
  return step
}

/** The time since the start of a run. The clock may have been set back meanwhile. */
function passedMs({ startedAt }: Pick<Run, 'startedAt'>, at: number): number {
  return Math.max(0, at - startedAt)
}

/** The same state with other settings: the slots restart after `now`, those of checks at `now`. */
export function reschedule(given: MonitorState, settings: StoredSettings, now: number): MonitorState {
  const from = isUptime(settings) ? now - settings.intervalSeconds * 1_000 : now
  return { ...given, slot: slotAfter(settings, from) }
}

/** The same state without its runs, whose ends are not expected any more. */
export function forgetRuns(given: MonitorState): MonitorState {
  const { lastStatus } = given
  return { ...given, runs: [], lastStatus: lastStatus === 'in_progress' ? 'unknown' : lastStatus }
}

function createState(settings: MonitorSettings, at: number): MonitorState {
  return {
    slot: firstSlot(settings, at),
    runs: [],
    failureCount: 0,
    successCount: 0,
    isFailing: false,
    lastStatus: 'unknown',
    lastAt: at,
    minute: { at: 0, count: 0 },
  }
}

/** A step that changes nothing yet. */
export function begin(given: MonitorState): Verdicts {
  const state = { ...given, runs: given.runs.map((run) => ({ ...run })) }
  return { state, changes: [], signals: [] }
}

/** The run of a check-in: by id, or the newest one for a check-in without an id. */
function findRun(runs: readonly Run[], { id, status }: CheckIn): Run | undefined {
  if (id !== undefined) return runs.find((run) => run.id === id)
  return status === 'in_progress' ? undefined : runs.at(-1)
}

/** A run begins, or begins and ends with one check-in. */
function begins(
  step: Verdicts,
  { checkIn, at }: { checkIn: CheckIn; at: number },
  context: CheckInContext,
): void {
  const { state } = step
  const { settings } = context
  const { status, durationMs } = checkIn
  const id = checkIn.id ?? context.createId()
  const isExpected = at >= state.slot.opensAt
  const slotAt = isExpected ? state.slot.at : undefined
  const change = { id, isNew: true, status: status === 'log' ? 'unknown' : status, at, slotAt } as const
  if (settings.schedule.kind === 'interval') state.slot = slotAfter(settings, at)
  else if (isExpected) state.slot = slotAfter(settings, state.slot.at)
  if (status === 'in_progress') {
    state.runs.push({ id, startedAt: at, deadlineAt: at + settings.maxRuntimeMinutes * minuteMs })
    step.changes.push(change)
    state.lastStatus = 'in_progress'
    state.lastAt = at
    const [oldest] = state.runs
    if (oldest !== undefined && state.runs.length > runsAtOnce)
      endRun(step, { ...oldest, isForgotten: true }, context)
    return
  }
  step.changes.push({ ...change, finishedAt: at, durationMs })
  if (status !== 'log') settle(step, { id, status, at, expectedAt: slotAt }, context)
}

/** Ends a run that reported no end. */
function endRun(step: Verdicts, run: Run & { isForgotten?: true }, context: VerdictContext): void {
  const { state } = step
  const { id, startedAt, deadlineAt, isForgotten } = run
  const isUnknown = isForgotten ?? context.gaps.some(({ from, to }) => startedAt <= to && deadlineAt >= from)
  const status = isUnknown ? 'unknown' : 'timeout'
  state.runs = state.runs.filter((each) => each.id !== id)
  step.changes.push({ id, isNew: false, status, at: startedAt })
  settle(step, { id, status, at: deadlineAt }, context)
}

/** Counts an ended run, and signals its effect on the issue. An unknown run has none. */
export function settle(
  { state, signals }: Verdicts,
  end: { id: string; status: CheckInStatus; at: number; expectedAt?: number | undefined },
  { settings }: VerdictContext,
): void {
  const { id: checkInId, status, at, expectedAt } = end
  state.lastStatus = status
  state.lastAt = at
  switch (status) {
    case 'ok':
      state.failureCount = 0
      state.successCount += 1
      if (!state.isFailing || state.successCount < settings.recoveryThreshold) return
      state.isFailing = false
      signals.push({ kind: 'recovered', checkInId, at })
      return
    case 'error':
    case 'missed':
    case 'timeout':
      state.successCount = 0
      state.failureCount += 1
      if (!state.isFailing && state.failureCount < settings.failureThreshold) return
      state.isFailing = true
      signals.push({ kind: 'failed', status, checkInId, at, expectedAt })
      return
    case 'in_progress':
    case 'unknown':
    case 'log':
  }
}
