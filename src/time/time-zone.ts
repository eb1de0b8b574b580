import { minuteMs } from './time-steps.ts'

/** A time zone by its IANA name: `Europe/Berlin`, `UTC`. */
export type TimeZone = string

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
    // Sweden writes dates and times as ISO 8601 does, but for the T.
    return new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
  } catch {
    return undefined
  }
}

/** Names known to be zones, because creating a format takes 0.1 ms. In upper and lower case. */
const validZones = new Set<string>(['UTC'])
const keptZones = 2_000

/** True for a zone that this machine knows. */
export function isTimeZone(zone: string): boolean {
  if (validZones.has(zone)) return true
  const isValid = createFormat(zone) !== undefined
  if (isValid && validZones.size < keptZones) validZones.add(zone)
  return isValid
}

/** The zones that this machine knows: UTC, then the others by name. */
export function listTimeZones(): TimeZone[] {
  return ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]
}

/** True for a number within the range of `Date`. */
export function isInstant(at: number): boolean {
  return Number.isFinite(at) && Math.abs(at) <= 8.64e15
}

/** Years without four digits are formatted as in ISO 8601, in UTC. */
const [year1000, year10000] = [Date.UTC(1000, 1), Date.UTC(9999, 11)]

/** The local time of the zone at an instant within the range of `Date`. */
export function toWallTime(at: number, zone: TimeZone): WallTime {
  const format = at > year1000 && at < year10000 ? findFormat(zone) : undefined
  if (format === undefined) {
    const iso = new Date(at).toISOString()
    const dateEnd = iso.indexOf('T')
    return { date: iso.slice(0, dateEnd), time: iso.slice(dateEnd + 1, -5), offsetMs: 0 }
  }
  const [date = '', time = ''] = format.format(at).split(' ')
  return { date, time, offsetMs: Date.parse(`${date}T${time}Z`) - Math.floor(at / 1000) * 1000 }
}

/** `UTC`, `UTC+1`, `UTC−3:30`: the same text on every machine. */
export function nameOffset(offsetMs: number): string {
  const minutes = Math.abs(offsetMs / minuteMs)
  if (minutes < 1) return 'UTC'
  const rest = minutes % 60
  const sign = offsetMs < 0 ? '−' : '+'
  return `UTC${sign}${Math.floor(minutes / 60)}${rest === 0 ? '' : `:${String(Math.floor(rest)).padStart(2, '0')}`}`
}

/** The precision of a formatted instant. */
export type InstantDetail = 'second' | 'minute' | 'day'

/** An instant with its zone: `2026-03-01 15:02:11 UTC+1`. The same text on every machine. */
export function formatInstant(at: number, zone: TimeZone, detail: InstantDetail = 'second'): string {
  if (!isInstant(at)) return 'unknown time'
  const { date, time, offsetMs } = toWallTime(at, zone)
  const clock = detail === 'day' ? '' : ` ${detail === 'minute' ? time.slice(0, 5) : time}`
  return `${date}${clock} ${nameOffset(offsetMs)}`
}
