import { limits } from '#server/limits.ts'
import type { Figure } from '#traces/figures.ts'
import { addHistogram, addValue, type LogHistogram } from '#traces/histogram.ts'

/** The counts and the histogram of a name; see `Figure`. */
export interface FigureSums {
  count: number
  weight: number
  failureCount: number
  goodCount: number
  sum: number
  histogram: LogHistogram
}

/** Empty sums. */
export function createSums(): FigureSums {
  return { count: 0, weight: 0, failureCount: 0, goodCount: 0, sum: 0, histogram: new Map() }
}

/** Adds sums to others. */
export function addFigureSums(sums: FigureSums, other: FigureSums): void {
  addCounts(sums, other)
  addHistogram(sums.histogram, other.histogram)
}

/** Adds the figure of one segment. */
export function addFigure(sums: FigureSums, figure: Figure): void {
  addCounts(sums, figure)
  for (const value of figure.values) addValue(sums.histogram, value)
}

/** Adds everything but the histogram. */
export function addCounts(sums: FigureSums, other: Omit<FigureSums, 'histogram'>): void {
  sums.count += other.count
  sums.weight += other.weight
  sums.failureCount += other.failureCount
  sums.goodCount += other.goodCount
  sums.sum += other.sum
}

/**
 * Limits the sums to values that the store can hold and add up. Rows and deltas of earlier versions can have
 * any weight, and senders choose durations.
 */
export function boundSums(sums: FigureSums): FigureSums {
  const maxWeight = sums.count / limits.lowestSampleRate
  return {
    ...sums,
    weight: sums.weight <= maxWeight ? sums.weight : maxWeight,
    sum: Math.min(sums.sum, limits.figureValueSum),
  }
}
