import { dayMs, hourMs, minuteMs } from '#time/time-steps.ts'
import type { AlertThreshold } from './rule.ts'
import { formatDuration } from './sentence.ts'

/** Example texts for `parseThreshold`. */
export const thresholdExamples = ['100 events in 5 minutes', '20 users in 1 hour', '300% of events in 1 hour']

const units = { minute: minuteMs, hour: hourMs, day: dayMs } as const

/**
 * Parses a threshold; `%` compares with the previous window. Undefined for other texts. The rule's schema
 * checks count and window.
 */
export function parseThreshold(
  text: string,
): (Omit<AlertThreshold, 'windowMs'> & { windowMs: number }) | undefined {
  const [, count, percent, of, length = '1', unit] =
    /^(\d{1,9})(\s*% of)? (events|users) in (?:(\d{1,4}|an?) )?(minute|hour|day)s?$/.exec(text.trim()) ?? []
  if ((of !== 'events' && of !== 'users') || (unit !== 'minute' && unit !== 'hour' && unit !== 'day'))
    return undefined
  return {
    of,
    atLeast: Number(count),
    unit: percent === undefined ? 'count' : 'percent',
    windowMs: (/^\d/.test(length) ? Number(length) : 1) * units[unit],
  }
}

/** The inverse of `parseThreshold`. */
export function formatThresholdText({ of, atLeast, unit, windowMs }: AlertThreshold): string {
  return `${atLeast}${unit === 'percent' ? '% of' : ''} ${of} in ${formatDuration(windowMs)}`
}
