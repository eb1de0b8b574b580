import type { SeriesSteps } from './read-steps.ts'

/** A line of a chart, with a value of each axis for each step. */
export interface SeriesLine {
  /** Of the fields that the lines are grouped by. */
  values: readonly (string | number)[]
  /** True for what the other lines leave out. */
  isOther?: boolean
  /** By the name of the axis; null where there is nothing to count, for a duration or a share. */
  byAxis: ReadonlyMap<string, readonly (number | null)[]>
}

/** The lines that a request asks for. */
export interface SeriesLines {
  lines: readonly SeriesLine[]
  steps: SeriesSteps
}

/** What the lines are to show. */
export interface LinesQuery {
  axes: readonly string[]
  /** The fields whose values have a line each. Empty: one line. */
  groupBy: readonly string[]
  /** At most so many lines: the largest. */
  top: number
  /** The axis or field of the largest, with `-` for the order; empty: the count. */
  sort: string
  /** Whether what is left out is a line, too. */
  hasOther: boolean
}
