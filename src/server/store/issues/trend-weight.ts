import { dayMs } from '#time/time-steps.ts'

/**
 * How often an issue happens now, weighted by the increase over before, as a number that can be indexed.
 *
 * `fast` halves the weight of each event every day, `slow` every week. An issue's trend is fast³ / slow²: the
 * events of about a day, times the square of their share in those of about a week. A new issue with a hundred
 * events ranks above one that had a thousand every day.
 *
 * All are stored as binary logarithms relative to 1970 instead of now. The values relative to now are lower
 * by the same amount for every issue, so their order never needs an update: only an event changes it.
 */
export interface TrendWeights {
  fast: number
  slow: number
}

const fastHalfLifeMs = dayMs
const slowHalfLifeMs = 7 * fastHalfLifeMs

/** Resolution of a trend: steps of 0.07 %. Finer steps would move an issue in the index with every event. */
const stepsPerDoubling = 1_000

/** By the instant each began: events. */
type HourCounts = Iterable<readonly [hour: number, eventCount: number]>

/** Adds counted hours, of each environment its own, to a trend. The order does not matter. */
export function addToTrend({ fast, slow }: TrendWeights, environments: Iterable<HourCounts>): TrendWeights {
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
export function sumTrends(trends: readonly TrendWeights[]): TrendWeights {
  return trends.reduce((sum, { fast, slow }) => ({
    fast: addLogarithms(sum.fast, fast),
    slow: addLogarithms(sum.slow, slow),
  }))
}

/** The inputs of the trend order. */
export function trendOrder({ fast, slow }: TrendWeights): number {
  return Math.round((3 * fast - 2 * slow) * stepsPerDoubling)
}

/** The logarithm of the sum of two numbers given by theirs, which are too large to be written out. */
function addLogarithms(one: number, other: number): number {
  const larger = Math.max(one, other)
  return larger + Math.log2(1 + 2 ** (Math.min(one, other) - larger))
}
