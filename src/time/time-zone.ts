/** A time zone by its IANA name: `Europe/Berlin`, `UTC`. */
export type TimeZone = string

const minuteMs = 60_000

/** The fields of a date and a time as a clock on the wall shows them. */
export interface WallTime {
  /** `2026-03-01`. */
  date: string
  /** `14:02:11`. */
  time: string
  /** How far the clocks are ahead of UTC. */
  offsetMs: number
}

const formats = new Map<TimeZone, Intl.DateTimeFormat | undefined>()

/** Undefined for UTC, and for a name that this machine does not know: its times are shown in UTC. */
function findFormat(zone: TimeZone): Intl.DateTimeFormat | undefined {
  if (!formats.has(zone)) formats.set(zone, createFormat(zone))
  return formats.get(zone)
}

function createFormat(zone: TimeZone): Intl.DateTimeFormat | undefined {
  if (zone === 'UTC') return undefined
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
    })
  } catch {
    return undefined
  }
}

/** True for a zone that this machine knows. */
export function isTimeZone(zone: string): boolean {
  return zone === 'UTC' || createFormat(zone) !== undefined
}

/** The zones that this machine knows: UTC, then the others by name. */
export function listTimeZones(): TimeZone[] {
  return ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]
}

/** True for a number that a date can hold. */
export function isInstant(at: number): boolean {
  return Number.isFinite(at) && Math.abs(at) <= 8.64e15
}

/** Years of other than four digits are written as ISO 8601 writes them, in UTC. */
const [year1000, year10000] = [Date.UTC(1000, 1), Date.UTC(9999, 11)]

/** What a clock on the wall of the zone shows at an instant that a date can hold. */
export function toWallTime(at: number, zone: TimeZone): WallTime {
  const format = at > year1000 && at < year10000 ? findFormat(zone) : undefined
  if (format === undefined) {
    const [date = '', time = ''] = new Date(at).toISOString().split('T')
    return { date, time: time.slice(0, 8), offsetMs: 0 }
  }
  const fields = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]))
  const date = `${fields['year']}-${fields['month']}-${fields['day']}`
  const time = `${fields['hour']}:${fields['minute']}:${fields['second']}`
  return { date, time, offsetMs: Date.parse(`${date}T${time}Z`) - Math.floor(at / 1000) * 1000 }
}

/** `UTC`, `UTC+1`, `UTC−3:30`: a zone at an instant, the same text on every machine. */
export function offsetName(at: number, zone: TimeZone): string {
  return nameOffset(toWallTime(at, zone).offsetMs)
}

/** `UTC+1` for an hour. */
export function nameOffset(offsetMs: number): string {
  const minutes = Math.abs(offsetMs / minuteMs)
  if (minutes < 1) return 'UTC'
  const rest = minutes % 60
  const sign = offsetMs < 0 ? '−' : '+'
  return `UTC${sign}${Math.floor(minutes / 60)}${rest === 0 ? '' : `:${String(Math.floor(rest)).padStart(2, '0')}`}`
}

/** How exactly an instant is written. */
export type InstantDetail = 'second' | 'minute' | 'day'

/** An instant in a zone, which it names: `2026-03-01 15:02:11 UTC+1`. The same text on every machine. */
export function formatInstant(at: number, zone: TimeZone, detail: InstantDetail = 'second'): string {
  if (!isInstant(at)) return 'unknown time'
  const { date, time, offsetMs } = toWallTime(at, zone)
  const clock = detail === 'day' ? '' : ` ${detail === 'minute' ? time.slice(0, 5) : time}`
  return `${date}${clock} ${nameOffset(offsetMs)}`
}
