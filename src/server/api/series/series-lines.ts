import type { SeriesSteps } from './read-steps.ts'

/** A line of a chart, with a value per axis and step. */
export interface SeriesLine {
  /** The values of the grouping fields. */
  values: readonly (string | number)[]
  /** True for the sum of everything that the other lines leave out. */
  isOther?: boolean
  /** Values by the name of the axis; null for a duration or a share without data. */
  byAxis: ReadonlyMap<string, readonly (number | null)[]>
}

/** The lines for a request. */
export interface SeriesLines {
  lines: readonly SeriesLine[]
  steps: SeriesSteps
}

/** The requested lines. */
export interface LinesQuery {
  axes: readonly string[]
  /** The grouping fields. Empty for one line. */
  groupBy: readonly string[]
  /** Maximum number of lines: the largest. */
  top: number
  /** The axis or field by which the largest are chosen, with `-` for descending; empty for the count. */
  sort: string
  /** Whether the rest is a line, too. */
  hasOther: boolean
}
