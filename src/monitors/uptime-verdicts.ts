import { slotAfter } from './slots.ts'
import type { CheckSeen, UptimeSettings } from './uptime.ts'
import { begin, settle, type MonitorState, type VerdictContext, type Verdicts } from './verdicts.ts'

/** The result of a check. Times are Unix milliseconds. */
export interface CheckResult {
  /** The slot of the check. */
  slotAt: number
  startedAt: number
  finishedAt: number
  status: 'ok' | 'error' | 'unknown'
  durationMs: number
  seen: CheckSeen
  /** Of the request, 32 lower-case hex digits. */
  traceId?: string
}

/** The state of an uptime monitor before its first check, which is due at `now`. */
export function createUptimeState(settings: UptimeSettings, now: number): MonitorState {
  return {
    slot: slotAfter(settings, now - settings.intervalSeconds * 1_000),
    runs: [],
    failureCount: 0,
    successCount: 0,
    isFailing: false,
    lastStatus: 'unknown',
    lastAt: now,
    minute: { at: 0, count: 0 },
  }
}

/**
 * Ends a slot by the result of its check. Undefined if the slot has ended: another process checked it, or it
 * was over.
 */
export function applyCheckResult(
  given: MonitorState,
  { slotAt, startedAt, finishedAt, status, durationMs }: CheckResult,
  context: VerdictContext,
): Verdicts | undefined {
  if (given.slot.at !== slotAt) return undefined
  const step = begin(given)
  const id = context.createId()
  step.changes.push({ id, isNew: true, status, slotAt, at: startedAt, finishedAt, durationMs })
  settle(step, { id, status, at: finishedAt, expectedAt: slotAt }, context)
  step.state.slot = slotAfter(context.settings, slotAt)
  return step
}
