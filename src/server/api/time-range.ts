import { timeUnitMs } from '#time/time-steps.ts'
import { errorAnswer } from './api-answer.ts'
import type { ReadParameters } from './read-cursor.ts'

/** From when on, and until when. Unix milliseconds; absent: no bound. */
export interface TimeRange {
  start?: number
  end?: number
}

/**
 * Reads `start` and `end` (ISO 8601), or `statsPeriod` (`24h`, `14d`) where `hasPeriod`. Rejects what is
 * none.
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

/** Sentry takes a time without a zone for UTC. */
function parseInstant(text: string): number {
  return Date.parse(/(?:z|[+-]\d\d:?\d\d)$/i.test(text) || !text.includes('T') ? text : `${text}Z`)
}
