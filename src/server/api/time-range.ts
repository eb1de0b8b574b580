import { timeUnitMs } from '#time/time-steps.ts'
import { errorAnswer } from './api-answer.ts'
import type { ReadParameters } from './read-cursor.ts'

/** A time range in Unix milliseconds. Absent: unbounded. */
export interface TimeRange {
  start?: number
  end?: number
}

/**
 * Parses `start` and `end` (ISO 8601), or with `hasPeriod` also `statsPeriod` (`24h`, `14d`). Rejects invalid
 * ones.
 */
export function readTimeRange(
  parameters: URLSearchParams,
  { now, hasPeriod }: { now: number; hasPeriod: boolean },
): ReadParameters<TimeRange> {
  const [from, to] = [parameters.get('start'), parameters.get('end')]
  if (from || to) {
    const [start, end] = [from, to].map((text) => (text ? parseInstant(text) : undefined))
    if (Number.isNaN(start) || Number.isNaN(end))
      return { ok: false, error: errorAnswer(400, 'start and end are times in ISO 8601, in UTC.') }
    return { ok: true, value: { start, end } }
  }
  const period = hasPeriod ? parameters.get('statsPeriod') : null
  if (!period) return { ok: true, value: {} }
  const [, count, unit = ''] = /^([1-9]\d{0,6})([smhdw])$/.exec(period) ?? []
  const ms = Number(count) * (timeUnitMs[unit] ?? Number.NaN)
  return Number.isFinite(ms)
    ? { ok: true, value: { start: now - ms } }
    : { ok: false, error: errorAnswer(400, 'Invalid statsPeriod: write a number and s, m, h, d or w: 24h.') }
}

/**
 * Parses a time in ISO 8601 into Unix milliseconds; `NaN` for a text that is not a time. Sentry interprets a
 * time without a zone as UTC; JavaScript only does so with a date alone.
 */
export function parseInstant(text: string): number {
  const hasNoZone = /^\d{4}-\d\d-\d\d[t ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/i.test(text)
  return Date.parse(hasNoZone ? `${text}Z` : text)
}
