import { dayMs } from './time-steps.ts'
import { isInstant, type TimeZone, toWallTime } from './time-zone.ts'

/** An instant to the minute, in the format of a datetime field: `2026-03-01T15:02`. */
export function formatField(at: number, zone: TimeZone): string {
  if (!isInstant(at)) return ''
  const { date, time } = toWallTime(at, zone)
  return `${date}T${time.slice(0, 5)}`
}

/**
 * The instant that a wall clock of the zone shows as `2026-03-01T15:02`, or with a date alone at its
 * midnight; undefined for an invalid time. A time that ends in `Z` is UTC in any zone. A local time that is
 * skipped becomes the time after the gap; a repeated one is its first occurrence.
 */
export function parseField(text: string, zone: TimeZone): number | undefined {
  const wall = Date.parse(text.includes('T') ? `${text.replace(/Z$/, '')}Z` : `${text}T00:00Z`)
  if (Number.isNaN(wall)) return undefined
  if (text.endsWith('Z')) return wall
  // The offset a day before is the one before a change of the clocks.
  const before = wall - toWallTime(wall - dayMs, zone).offsetMs
  const after = wall - toWallTime(wall + dayMs, zone).offsetMs
  const isRight = (at: number) => at + toWallTime(at, zone).offsetMs === wall
  if (isRight(before)) return before
  return isRight(after) ? after : before
}
