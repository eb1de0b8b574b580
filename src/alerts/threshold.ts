import { stepsUntil } from '#time/time-steps.ts'
import type { AlertThreshold } from './rule.ts'

/** The stored state of a threshold for an issue. Disarmed after firing. Times in Unix milliseconds. */
export interface ThresholdState {
  isArmed: boolean
  firedAt?: number
}

/** The counts of the window and of the previous one. */
export interface WindowCounts {
  count: number
  formerCount: number
}

/** A window moves in steps of a twelfth of its length. */
const bucketsPerWindow = 12

/** The start of the twelfth of a window that contains an instant. Both in Unix milliseconds. */
export function bucketOf(windowMs: number, at: number): number {
  return stepsUntil(at, { stepMs: windowMs / bucketsPerWindow, stepCount: 1 }).since
}

/**
 * The start of the window that ends now: the current twelfth and the eleven before it. The previous window
 * starts one window earlier.
 */
export function startOfWindow(windowMs: number, now: number): number {
  return stepsUntil(now, { stepMs: windowMs / bucketsPerWindow, stepCount: bucketsPerWindow }).since
}

/** The twelfths of this many windows, the oldest first; the last window ends now. */
export function listWindowBuckets(windowMs: number, now: number, windowCount: 1 | 2): number[] {
  const since = startOfWindow(windowMs, now) - (windowCount - 1) * windowMs
  const bucketMs = windowMs / bucketsPerWindow
  return Array.from({ length: windowCount * bucketsPerWindow }, (_, at) => since + at * bucketMs)
}

/**
 * One step of a threshold. It fires when the count reaches the limit, and again only after the count has
 * fallen below half of the limit or the throttle has passed.
 */
export function stepThreshold(
  threshold: AlertThreshold,
  state: ThresholdState,
  { counts, now, throttleMs }: { counts: WindowCounts; now: number; throttleMs: number },
): { isFired: boolean; state: ThresholdState } {
  const limit = limitOf(threshold, counts)
  // Without events in the previous window a percentage has no meaning.
  const hasLimit = limit > 0
  const isThrottleOver = throttleMs > 0 && state.firedAt !== undefined && now - state.firedAt >= throttleMs
  const isArmed = state.isArmed || isThrottleOver || isBackToNormal(threshold, counts)
  const isFired = isArmed && hasLimit && counts.count >= limit
  return isFired
    ? { isFired, state: { isArmed: false, firedAt: now } }
    : { isFired, state: { ...state, isArmed } }
}

/** The count is below half of the limit. */
export function isBackToNormal(threshold: AlertThreshold, counts: WindowCounts): boolean {
  return counts.count === 0 || counts.count < limitOf(threshold, counts) / 2
}

function limitOf({ atLeast, unit }: AlertThreshold, { formerCount }: WindowCounts): number {
  return unit === 'count' ? atLeast : (formerCount * atLeast) / 100
}

/** An event of the past. `at` in Unix milliseconds. */
export interface PastEvent {
  at: number
  userHash: number | null
}

/** The times at which a threshold would have fired for the events of an issue, in chronological order. */
export function listCrossings(
  threshold: AlertThreshold,
  events: readonly PastEvent[],
  throttleMs: number,
): number[] {
  const { windowMs } = threshold
  const fired: number[] = []
  let state: ThresholdState = { isArmed: true }
  const step = (at: number) => {
    const counts = countWindows(threshold, events, at)
    const next = stepThreshold(threshold, state, { counts, now: at, throttleMs })
    state = next.state
    if (next.isFired) fired.push(at)
  }
  const buckets = Map.groupBy(events, ({ at }) => bucketOf(windowMs, at))
  let formerAt: number | undefined
  for (const [bucketAt, ofBucket] of buckets) {
    // After a window without events the count is 0.
    if (formerAt !== undefined && bucketAt - formerAt >= windowMs) step(formerAt + windowMs)
    step(ofBucket.at(-1)?.at ?? bucketAt)
    formerAt = bucketAt
  }
  return fired
}

function countWindows(
  { of, windowMs }: AlertThreshold,
  events: readonly PastEvent[],
  now: number,
): WindowCounts {
  const startsAt = startOfWindow(windowMs, now)
  const [formerFrom, from, to] = [startsAt - windowMs, startsAt, now + 1].map((at) => findFirst(events, at))
  const count = (first?: number, end?: number) => {
    if (of === 'events') return (end ?? 0) - (first ?? 0)
    return new Set(events.slice(first, end).flatMap(({ userHash }) => userHash ?? [])).size
  }
  return { count: count(from, to), formerCount: count(formerFrom, from) }
}

/** The index of the first event at or after an instant. */
function findFirst(events: readonly PastEvent[], at: number): number {
  let [low, high] = [0, events.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((events[middle]?.at ?? Infinity) < at) low = middle + 1
    else high = middle
  }
  return low
}
