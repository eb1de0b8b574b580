import { dayMs } from '#time/time-steps.ts'

/**
 * How much an issue happens now, weighed by how much more that is than before, as a number that can stand in
 * an index.
 *
 * `fast` counts each event half as much after every day, `slow` after every week. An issue's trend is fast³ /
 * slow²: the events of about a day, times the square of their share in those of about a week. A new issue
 * with a hundred events stands above one that had a thousand every day.
 *
 * All are kept as binary logarithms at the beginning of time (1970) instead of now. What they are now is less
 * by the same amount for every issue, so their order never has to be brought up to date: only an event
 * changes it.
 */
export interface IssueTrend {
  fast: number
  slow: number
}

const fastHalfLifeMs = dayMs
const slowHalfLifeMs = 7 * fastHalfLifeMs

/**
 * Steps of a trend that are told apart: 0.07 %. Finer ones would move an issue in the index with every event.
 */
const stepsPerDoubling = 1_000

/** By the instant each began: events. */
type HourCounts = Iterable<readonly [hour: number, eventCount: number]>

/** Adds counted hours, of each environment its own, to a trend. The order does not matter. */
export function addToTrend({ fast, slow }: IssueTrend, environments: Iterable<HourCounts>): IssueTrend {
  const sum = { fast, slow }
  for (const hours of environments) {
    for (const [hour, eventCount] of hours) {
      sum.fast = addLogarithms(sum.fast, Math.log2(eventCount) + hour / fastHalfLifeMs)
      sum.slow = addLogarithms(sum.slow, Math.log2(eventCount) + hour / slowHalfLifeMs)
    }
  }
  return sum
}

/** The trend of the events of several together. */
export function sumTrends(trends: readonly IssueTrend[]): IssueTrend {
  return trends.reduce((sum, { fast, slow }) => ({
    fast: addLogarithms(sum.fast, fast),
    slow: addLogarithms(sum.slow, slow),
  }))
}

/** What issues are sorted by. */
export function trendOrder({ fast, slow }: IssueTrend): number {
  return Math.round((3 * fast - 2 * slow) * stepsPerDoubling)
}

/** The logarithm of the sum of two numbers given by theirs, which are too large to be written out. */
function addLogarithms(one: number, other: number): number {
  const larger = Math.max(one, other)
  return larger + Math.log2(1 + 2 ** (Math.min(one, other) - larger))
}
