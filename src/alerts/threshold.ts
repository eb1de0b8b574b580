import type { AlertThreshold } from './rule.ts'

/** What is kept of a threshold for an issue. Disarmed after it fired. Times in Unix milliseconds. */
export interface ThresholdState {
  isArmed: boolean
  firedAt?: number
}

/** What was counted in the window, and in the window before. */
export interface WindowCounts {
  count: number
  formerCount: number
}

/**
 * One step of a threshold. It fires when the count reaches the limit, and then not again until the count has
 * fallen below half of the limit or the throttle has passed.
 */
export function stepThreshold(
  { atLeast, unit }: AlertThreshold,
  state: ThresholdState,
  { counts, now, throttleMs }: { counts: WindowCounts; now: number; throttleMs: number },
): { isFired: boolean; state: ThresholdState } {
  const limit = unit === 'count' ? atLeast : (counts.formerCount * atLeast) / 100
  // Percent of nothing is nothing: without events in the window before there is nothing to compare with.
  const hasLimit = limit > 0
  const isThrottleOver = throttleMs > 0 && state.firedAt !== undefined && now - state.firedAt >= throttleMs
  const isArmed = state.isArmed || isThrottleOver || counts.count < limit / 2
  const isFired = isArmed && hasLimit && counts.count >= limit
  return isFired
    ? { isFired, state: { isArmed: false, firedAt: now } }
    : { isFired, state: { ...state, isArmed } }
}
