import { exactCount, shareLeftText } from '#numbers/number-text.ts'
import { dayOf, hourOf } from '#time/time-steps.ts'
import type { AlertNotice } from './notice.ts'
import type { CrashFreeLimit } from './rule.ts'
import { formatPeriod } from './sentence.ts'

/** Sessions or users in a window. */
export interface CrashCount {
  count: number
  crashedCount: number
}

/** The counts of an interval: an hour for sessions, a day for users. `at`: its start in Unix milliseconds. */
export interface CrashStep extends CrashCount {
  at: number
}

/** The start of the first hour or day of the window that ends now, which includes the current hour or day. */
export function startOfCrashWindow({ of, windowMs }: CrashFreeLimit, now: number): number {
  return (of === 'sessions' ? hourOf(now) : dayOf(now)) - windowMs
}

/** The result for a limit: crossed, back to normal, or too few sessions. */
export type CrashFreeChange = 'low' | 'normal' | 'unknown'

/**
 * Hysteresis: between both rates the state does not change, so that a rate at the limit does not notify
 * repeatedly.
 */
const recoveryShare = 0.9

/**
 * Evaluates a limit and returns the change of its state. It fires when the rate is below the limit, and ends
 * when the crashes are a tenth below the allowed number. Too few sessions end it without a notification.
 */
export function stepCrashFree(
  { below, atLeast }: CrashFreeLimit,
  { isLow, counted }: { isLow: boolean; counted: CrashCount },
): CrashFreeChange | undefined {
  if (counted.count === 0 || counted.count < atLeast) return isLow ? 'unknown' : undefined
  const crashPercent = (counted.crashedCount / counted.count) * 100
  const allowedPercent = 100 - below
  if (!isLow) return crashPercent > allowedPercent ? 'low' : undefined
  return crashPercent <= allowedPercent * recoveryShare ? 'normal' : undefined
}

/** The changes of a limit in the past, from intervals in chronological order. */
export function listCrashFreeChanges(
  limit: CrashFreeLimit,
  steps: readonly CrashStep[],
): { at: number; change: CrashFreeChange; counted: CrashCount }[] {
  const changes: { at: number; change: CrashFreeChange; counted: CrashCount }[] = []
  let isLow = false
  for (const { at } of steps) {
    const since = startOfCrashWindow(limit, at)
    const counted = sumCrashes(steps.filter((step) => step.at >= since && step.at <= at))
    const change = stepCrashFree(limit, { isLow, counted })
    if (change === undefined) continue
    isLow = change === 'low'
    changes.push({ at, change, counted })
  }
  return changes
}

/** The sum of the counts. */
export function sumCrashes(counts: readonly CrashCount[]): CrashCount {
  return {
    count: counts.reduce((sum, { count }) => sum + count, 0),
    crashedCount: counts.reduce((sum, { crashedCount }) => sum + crashedCount, 0),
  }
}

/** The notice of a limit that is crossed, or back to normal. `release` is absent for a project. */
export function toCrashFreeNotice(
  { of, below, windowMs }: CrashFreeLimit,
  { counted, release, subject }: { counted: CrashCount; release?: string | undefined; subject: string },
): AlertNotice {
  const rate = shareLeftText(counted.crashedCount, counted.count)
  const isLow = (counted.crashedCount / counted.count) * 100 > 100 - below
  const window = formatPeriod(windowMs, 'in')
  const limit = isLow ? `, less than ${below}%` : ''
  return {
    about: 'crash_free',
    subject,
    title: `${rate} of ${exactCount(counted.count)} ${of} without a crash ${window}${release === undefined ? '' : ` in ${release}`}${limit}`,
    level: isLow ? 'error' : 'info',
    environments: [],
    release,
  }
}
