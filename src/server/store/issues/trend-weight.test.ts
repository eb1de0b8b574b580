import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayMs, hourMs } from '#time/time-steps.ts'
import { addToTrend, trendOrder } from './trend-weight.ts'

const none = { fast: 0, slow: 0 }
const now = Date.UTC(2026, 10, 21, 12)

/** The trend of an issue with these event counts in the last days, the latest day first. */
function trendOf(...days: number[]): number {
  const hours = days.flatMap((count, day) => (count > 0 ? [[now - day * dayMs, count] as const] : []))
  return trendOrder(addToTrend(none, [hours]))
}

const everyDay = (count: number) => Array.from({ length: 60 }, () => count)

describe('the trend of an issue', () => {
  it('is larger with more events', () => {
    expect(trendOf(20)).toBeGreaterThan(trendOf(10))
  })

  it('is larger for a hundred new events than for a thousand on every day', () => {
    expect(trendOf(100)).toBeGreaterThan(trendOf(...everyDay(1_000)))
    expect(trendOf(100)).toBeLessThan(trendOf(...everyDay(10_000)))
  })

  it('is larger when there are more events than before, and smaller when there are fewer', () => {
    const steady = trendOf(...everyDay(10))
    expect(trendOf(40, ...everyDay(10))).toBeGreaterThan(steady)
    expect(trendOf(0, 0, ...everyDay(10))).toBeLessThan(steady)
  })

  it('decays: an event of a week ago counts less than a tenth of an event of today', () => {
    expect(trendOf(0, 0, 0, 0, 0, 0, 0, 100)).toBeLessThan(trendOf(10))
  })

  it('is the same for any order and any grouping of the events', () => {
    const hour = fc.tuple(
      fc.integer({ min: 0, max: 5_000 }).map((ago) => now - ago * hourMs),
      fc.integer({ min: 1, max: 1e6 }),
    )
    fc.assert(
      fc.property(fc.array(hour, { maxLength: 20 }), (hours) => {
        let stepwise = none
        for (const each of hours.toReversed()) stepwise = addToTrend(stepwise, [[each]])
        expect(Math.abs(trendOrder(stepwise) - trendOrder(addToTrend(none, [hours])))).toBeLessThanOrEqual(1)
      }),
    )
  })
})
