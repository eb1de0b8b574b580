import type { CrashCounts } from '#server/store/releases/records.ts'

/** Crashes and the total number of sessions or users. */
export interface Crashes {
  crashed: number
  whole: number
}

/** Of its sessions or its users. */
export type CrashKind = 'sessions' | 'users'

/** The sessions or users of a release, and those that crashed. */
export function crashesOf(kind: CrashKind, counts: CrashCounts): Crashes {
  return kind === 'sessions'
    ? { crashed: counts.crashedCount, whole: counts.sessionCount }
    : { crashed: counts.crashedUserCount, whole: counts.userCount }
}

/** Below these percentages a rate is low, or very low. */
const [lowBelow, veryLowBelow] = [99, 95]

/** The word for a bad crash-free rate; undefined if it is good or unknown. */
export function rateWord(crashes: Crashes): 'low' | 'very low' | undefined {
  const rate = rateOf(crashes)
  if (rate === undefined || rate >= lowBelow) return undefined
  return rate < veryLowBelow ? 'very low' : 'low'
}

/** The difference between two rates. */
export interface RateChange {
  isUp: boolean
  /** `0.42`, `59.1`: percentage points. */
  points: string
}

/** The difference to the previous rate; undefined if it is less than a hundredth of a point, or unknown. */
export function findRateChange(now: Crashes, before: Crashes): RateChange | undefined {
  const [rateNow, rateBefore] = [rateOf(now), rateOf(before)]
  if (rateNow === undefined || rateBefore === undefined) return undefined
  const points = Math.abs(rateNow - rateBefore)
  if (points < 0.005) return undefined
  return { isUp: rateNow > rateBefore, points: points.toFixed(points < 10 ? 2 : 1) }
}

function rateOf({ crashed, whole }: Crashes): number | undefined {
  return whole > 0 ? Math.max(0, Math.min(100, (1 - crashed / whole) * 100)) : undefined
}
