import { dayMs } from './time-steps.ts'
import { formatInstant, isInstant, nameOffset, type TimeZone, toWallTime } from './time-zone.ts'

/** The beginning and the end of a span: `2026-03-01 12:00 – 18:00 UTC+1`; a day of the zone is that day. */
export function formatSpan({ from, to }: { from: number; to: number }, zone: TimeZone): string {
  if (!isInstant(from) || !isInstant(to)) return 'unknown time'
  if (to - from === dayMs && isMidnight(from, zone)) return formatInstant(from, zone, 'day')
  const [start, end] = [toWallTime(from, zone), toWallTime(to, zone)]
  const endDate = start.date === end.date ? '' : `${end.date} `
  return `${start.date} ${start.time.slice(0, 5)} – ${endDate}${end.time.slice(0, 5)} ${nameOffset(end.offsetMs)}`
}

/** True if the instant is the start of a day in the zone. */
export function isMidnight(at: number, zone: TimeZone): boolean {
  return isInstant(at) && toWallTime(at, zone).time === '00:00:00'
}
