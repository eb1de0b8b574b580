import { isMidnight } from '#time/time-span.ts'
import { dayMs, hourMs } from '#time/time-steps.ts'
import { formatInstant, type TimeZone } from '#time/time-zone.ts'

/** How long a step is, after a number: `an hour`, `in 6 hours`, `a day`. */
export function stepName(stepMs: number): string {
  if (stepMs === hourMs) return 'an hour'
  return stepMs === dayMs ? 'a day' : `in ${stepMs / hourMs} hours`
}

/**
 * The start of a step with the precision of its length: `2026-03-01 14:00 UTC`; a day that begins at
 * midnight: `2026-03-01 UTC`.
 */
export function stepText(startAt: number, stepMs: number, zone: TimeZone): string {
  return formatInstant(startAt, zone, stepMs === dayMs && isMidnight(startAt, zone) ? 'day' : 'minute')
}
