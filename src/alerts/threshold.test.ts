import { describe, expect, it } from 'vitest'
import { hourMs, minuteMs } from '#time/time-steps.ts'
import type { AlertThreshold } from './rule.ts'
import { bucketOf, listCrossings, startOfWindow, stepThreshold, type ThresholdState } from './threshold.ts'

const tenEvents: AlertThreshold = { of: 'events', atLeast: 10, unit: 'count', windowMs: minuteMs }

/** The steps, one per minute, at which the threshold fires. */
function listFired(threshold: AlertThreshold, steps: [count: number, former?: number][], throttleMs = 0) {
  let state: ThresholdState = { isArmed: true }
  return steps.flatMap(([count, formerCount = 0], at) => {
    const step = stepThreshold(threshold, state, {
      counts: { count, formerCount },
      now: at * minuteMs,
      throttleMs,
    })
    state = step.state
    return step.isFired ? [at] : []
  })
}

it('fires at the limit itself, once, and again after the count was below half of it', () => {
  expect(listFired(tenEvents, [[9], [10], [500], [5], [10], [4], [9], [10], [11]])).toEqual([1, 7])
})

it('fires again after the throttle while the count stays high', () => {
  const high = Array.from({ length: 130 }, (): [number] => [50])
  expect(listFired(tenEvents, high, hourMs)).toEqual([0, 60, 120])
})

it('compares with the previous window, and never fires if that is empty', () => {
  const double: AlertThreshold = { ...tenEvents, atLeast: 200, unit: 'percent' }
  expect(
    listFired(double, [
      [100, 0],
      [19, 10],
      [20, 10],
      [40, 20],
      [1, 40],
      [2, 1],
    ]),
  ).toEqual([2, 5])
})

it('fires once for 100,000 events in steps of one', () => {
  expect(
    listFired(
      tenEvents,
      Array.from({ length: 100_000 }, (_, at): [number] => [at]),
    ),
  ).toEqual([10])
})

it('is armed again when the count is 0', () => {
  const double: AlertThreshold = { ...tenEvents, atLeast: 200, unit: 'percent' }
  const steps: [number, number][] = [
    [20, 10],
    [0, 0],
    [20, 10],
  ]
  expect(listFired(double, steps)).toEqual([0, 2])
})

it('has windows of twelve buckets, the last of which is not complete', () => {
  const now = 10 * hourMs + 7_000
  expect(bucketOf(minuteMs, now)).toBe(10 * hourMs + 5_000)
  expect(startOfWindow(minuteMs, now)).toBe(10 * hourMs - 50_000)
})

/** One event of each of three users, in consecutive steps. */
const each = (stepMs: number, count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => ({ at: from + at * stepMs, userHash: at % 3 }))

describe('past events', () => {
  it('cross a threshold once while they go on, and again after a pause', () => {
    const first = each(2_000, 60)
    const second = each(2_000, 60, hourMs)
    expect(listCrossings(tenEvents, [...first, ...second], 0)).toHaveLength(2)
    expect(listCrossings(tenEvents, each(10_000, 100), 0)).toEqual([])
  })

  it('cross it by their users', () => {
    const users: AlertThreshold = { ...tenEvents, of: 'users', atLeast: 3 }
    expect(listCrossings(users, each(100, 100), 0)).toHaveLength(1)
    expect(listCrossings({ ...users, atLeast: 4 }, each(100, 100), 0)).toEqual([])
  })
})
