import { hourMs, minuteMs, stepsUntil } from '#time/time-steps.ts'
import { toWallTime } from '#time/time-zone.ts'
import type { QuietHours } from './rule.ts'

/** True within the quiet hours, in their time zone. They may pass midnight; the end is exclusive. */
export function isQuietAt({ from, to, timeZone }: QuietHours, at: number): boolean {
  const time = toWallTime(at, timeZone).time.slice(0, 5)
  return from < to ? time >= from && time < to : time >= from || time < to
}

/** Longer than any day, also a day on which the clock is set back. */
const longestQuietMs = 26 * hourMs

/** The end of the quiet hours that contain an instant, to the minute. Both in Unix milliseconds. */
export function endOfQuietHours(hours: QuietHours, at: number): number {
  const latest = at + longestQuietMs
  let end = stepsUntil(at, { stepMs: minuteMs, stepCount: 1 }).since
  while (end < latest && isQuietAt(hours, end)) end += minuteMs
  return end
}
