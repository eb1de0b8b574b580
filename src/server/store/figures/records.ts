import { dayMs, hourMs, minuteMs } from '#time/time-steps.ts'
import type { Figure } from '#traces/figures.ts'

/** The figures of a segment of a trace. */
export interface FigureRecord {
  projectId: number
  /** Unix milliseconds; the minute, hour and day in which they are counted. */
  receivedAt: number
  figures: Figure[]
}

/**
 * How a name's figures are subdivided. `transaction`: by environment. `release`: transactions by release.
 * `span`: by transaction, without histograms. `group`: spans of all transactions. `vital`: by vital and
 * device.
 */
export type FigureSeries = 'transaction' | 'release' | 'span' | 'group' | 'vital'

/** The time interval of a row. */
export type FigureStep = 'minute' | 'hour' | 'day'

/** Milliseconds of each step. */
export const figureStepMs: Readonly<Record<FigureStep, number>> = {
  minute: minuteMs,
  hour: hourMs,
  day: dayMs,
}
