import { expect, it } from 'vitest'
import { hourMs, minuteMs } from '#time/time-steps.ts'
import type { AlertThreshold } from './rule.ts'
import { stepThreshold } from './threshold.ts'
import type { ThresholdState } from './threshold.ts'

const tenEvents: AlertThreshold = { of: 'events', atLeast: 10, unit: 'count', windowMs: minuteMs }

/** The steps, one a minute, at which the threshold fires. */
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

it('compares with the window before, and with nothing before it never fires', () => {
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
