import { toWallTime } from '#time/time-zone.ts'
import type { QuietHours } from './rule.ts'

/**
 * True within the quiet hours, by the wall clock of their zone. They may pass midnight; the end is outside.
 */
export function isQuietAt({ from, to, timeZone }: QuietHours, at: number): boolean {
  const time = toWallTime(at, timeZone).time.slice(0, 5)
  return from < to ? time >= from && time < to : time >= from || time < to
}
