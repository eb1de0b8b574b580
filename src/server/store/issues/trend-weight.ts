import { dayMs } from '#time/time-steps.ts'

/**
 * The weights from which an issue's trend is computed: its current event rate, weighted by its increase, as a
 * number that can be indexed.
 *
 * `fast` halves the weight of each event every day, `slow` every week. The trend is fast³ / slow²: the events
 * of about a day, times the square of their share in the events of about a week. A new issue with a hundred
 * events ranks above one with a thousand every day.
 *
 * The weights are stored as binary logarithms relative to 1970 instead of now. Relative to now they would be
 * lower by the same amount for every issue, so the order changes only when events arrive and never has to be
 * updated.
 */
export interface TrendWeights {
  fast: number
  slow: number
}

const fastHalfLifeMs = dayMs
const slowHalfLifeMs = 7 * fastHalfLifeMs

/** Resolution of a trend: steps of 0.07 %. With finer steps, each event would move its issue in the index. */
const stepsPerDoubling = 1_000

/** Event counts by the start of the hour. */
type HourCounts = Iterable<readonly [hour: number, eventCount: number]>

/** Adds event counts per hour, of each environment, to a trend. The order does not matter. */
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

/** The trend of the events of several issues together. */
export function sumTrends(trends: readonly TrendWeights[]): TrendWeights {
  return trends.reduce((sum, { fast, slow }) => ({
    fast: addLogarithms(sum.fast, fast),
    slow: addLogarithms(sum.slow, slow),
  }))
}

/** The sort value of a trend. */
export function trendOrder({ fast, slow }: TrendWeights): number {
  return Math.round((3 * fast - 2 * slow) * stepsPerDoubling)
}

/** The logarithm of the sum of two numbers given by their logarithms; the numbers would overflow. */
function addLogarithms(one: number, other: number): number {
  const larger = Math.max(one, other)
  return larger + Math.log2(1 + 2 ** (Math.min(one, other) - larger))
}
