import { errorAnswer } from '#server/api/api-answer.ts'
import type { ApiCall } from '#server/api/api-route.ts'
import type { ReadParameters } from '#server/api/read-cursor.ts'
import { readTimeRange } from '#server/api/time-range.ts'
import { limits } from '#server/limits.ts'
import { dayMs, hourMs, stepsUntil, timeUnitMs, type TimeSteps } from '#time/time-steps.ts'

/** The steps of a series. */
export interface SeriesSteps extends TimeSteps {
  /** Exclusive. Unix milliseconds. */
  until: number
}

/** Query parameters of series, for the OpenAPI document. */
export const stepParameters = {
  start: 'ISO 8601, in UTC.',
  end: 'ISO 8601, in UTC.',
  statsPeriod: '`24h`, `14d` …, instead of `start` and `end`. Default: `24h`.',
  interval:
    'Length of an interval: `1h`, `6h`, `1d` …, or in seconds. Counts are stored per hour, so it is rounded up to hours.',
}

/**
 * Parses the range and the interval: steps of full hours (`leastStepMs`: or of days) that begin at multiples
 * of their length. Rejects invalid ones, and more than `limits.apiSeriesSteps` steps.
 */
export function readSteps(
  { url: { searchParams }, services }: ApiCall,
  leastStepMs: number = hourMs,
): ReadParameters<SeriesSteps> {
  const now = services.clock()
  const range = readTimeRange(searchParams, { now, hasPeriod: true })
  if (!range.ok) return range
  const { end = now, start = end - dayMs } = range.value
  if (start >= end) return { ok: false, error: errorAnswer(400, 'start must be before end.') }
  const interval = searchParams.get('interval') || '1h'
  const [, count, unit] = /^([1-9]\d{0,6})([smhdw]?)$/.exec(interval) ?? []
  const requestedMs = Number(count) * (timeUnitMs[unit || 's'] ?? Number.NaN)
  if (!Number.isFinite(requestedMs))
    return { ok: false, error: errorAnswer(400, 'Invalid interval: use a number and s, m, h, d or w: 6h.') }
  const stepMs = Math.ceil(requestedMs / leastStepMs) * leastStepMs
  const { since } = stepsUntil(start, { stepMs, stepCount: 1 })
  const stepCount = Math.ceil((end - since) / stepMs)
  if (stepCount > limits.apiSeriesSteps)
    return {
      ok: false,
      error: errorAnswer(
        400,
        `${stepCount} intervals are more than ${limits.apiSeriesSteps}: increase interval.`,
      ),
    }
  return { ok: true, value: { since, stepMs, stepCount, until: since + stepCount * stepMs } }
}

/** The start of each step, in Unix milliseconds. */
export function toIntervalTimes({ since, stepMs, stepCount }: TimeSteps): number[] {
  return Array.from({ length: stepCount }, (_, step) => since + step * stepMs)
}

/** The start of each step, in ISO 8601. */
export function toIntervals(steps: TimeSteps): string[] {
  return toIntervalTimes(steps).map((at) => new Date(at).toISOString())
}
