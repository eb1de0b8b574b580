/** A time zone by its IANA name: `Europe/Berlin`, `UTC`. */
export type TimeZone = string

const minuteMs = 60_000
const dayMs = 1440 * minuteMs

/** The fields of a date and a time as a clock on the wall shows them. */
interface WallTime {
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
      calendar: 'gregory',
      numberingSystem: 'latn',
      era: 'short',
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
function isInstant(at: number): boolean {
  return Number.isFinite(at) && Math.abs(at) <= 8.64e15
}

function toWallTime(at: number, zone: TimeZone): WallTime {
  const parts = findFormat(zone)?.formatToParts(at)
  const fields = new Map(parts?.map(({ type, value }) => [type, value]))
  // Years before 1 are written as ISO 8601 writes them, in UTC.
  if (parts === undefined || fields.get('era') !== 'AD') {
    const [date = '', time = ''] = new Date(at).toISOString().split('T')
    return { date, time: time.slice(0, 8), offsetMs: 0 }
  }
  const of = (type: Intl.DateTimeFormatPartTypes) => fields.get(type) ?? ''
  const date = `${of('year').padStart(4, '0')}-${of('month')}-${of('day')}`
  const time = `${of('hour')}:${of('minute')}:${of('second')}`
  const offsetMs = Date.parse(`${date}T${time}Z`) - Math.floor(at / 1000) * 1000
  return { date, time, offsetMs: Number.isNaN(offsetMs) ? 0 : offsetMs }
}

/** `UTC`, `UTC+1`, `UTC−3:30`: a zone at an instant, the same text on every machine. */
export function offsetName(at: number, zone: TimeZone): string {
  return nameOffset(toWallTime(at, zone).offsetMs)
}

function nameOffset(offsetMs: number): string {
  const minutes = Math.round(offsetMs / minuteMs)
  if (minutes === 0) return 'UTC'
  const rest = Math.abs(minutes) % 60
  const hours = Math.floor(Math.abs(minutes) / 60)
  return `UTC${minutes < 0 ? '−' : '+'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`
}

/** How exactly an instant is written. */
export type InstantDetail = 'second' | 'minute' | 'day'

/** An instant in a zone, which it names: `2026-03-01 15:02:11 UTC+1`. The same text on every machine. */
export function formatInstant(at: number, zone: TimeZone, detail: InstantDetail = 'second'): string {
  if (!isInstant(at)) return 'unknown time'
  const { date, time, offsetMs } = toWallTime(at, zone)
  const clock = { second: ` ${time}`, minute: ` ${time.slice(0, 5)}`, day: '' }[detail]
  return `${date}${clock} ${nameOffset(offsetMs)}`
}

/** The beginning and the end of a span: `2026-03-01 12:00 – 18:00 UTC+1`; a day of the zone is that day. */
export function formatSpan({ from, to }: { from: number; to: number }, zone: TimeZone): string {
  if (!isInstant(from) || !isInstant(to)) return 'unknown time'
  if (to - from === dayMs && isMidnight(from, zone)) return formatInstant(from, zone, 'day')
  const [start, end] = [toWallTime(from, zone), toWallTime(to, zone)]
  const endDate = start.date === end.date ? '' : `${end.date} `
  return `${start.date} ${start.time.slice(0, 5)} – ${endDate}${end.time.slice(0, 5)} ${nameOffset(end.offsetMs)}`
}

/** True where a day begins in the zone. */
export function isMidnight(at: number, zone: TimeZone): boolean {
  return isInstant(at) && toWallTime(at, zone).time === '00:00:00'
}

/** An instant to the minute, as a field for date and time has it: `2026-03-01T15:02`. */
export function formatField(at: number, zone: TimeZone): string {
  if (!isInstant(at)) return ''
  const { date, time } = toWallTime(at, zone)
  return `${date}T${time.slice(0, 5)}`
}

/**
 * The instant that a wall clock of the zone shows as `2026-03-01T15:02`, or with a date alone at its midnight; undefined for
 * what is no time. A time that ends in `Z` is UTC whatever the zone. A time that the clocks skip is the one after the gap; of one that they show twice it is the first.
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
