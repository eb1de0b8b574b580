const rfc3339 =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,12}))?)?)?\s?(Z|[+-]\d\d(?::?\d\d)?)?$/i
/** The format of nearly every SDK, which `Date.parse` reads in a fifth of the time. */
const usualInstant = /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):\d\d:\d\d(?:\.\d{3})?Z$/
const decimal = /^-?\d{1,15}(?:\.\d{1,20})?$/

/** The year 9999, the last year in RFC 3339. */
const lastMs = 253_402_300_799_999

/**
 * Parses a time as SDKs write it: Unix seconds (integer, float or as a string) or RFC 3339, where a missing
 * zone means UTC. Never Unix milliseconds: the protocol has none, and guessing would move correct times.
 *
 * Returns whole Unix milliseconds, or undefined unless it is a time between the years 0 and 9999.
 */
export function parseTimestamp(value: unknown): number | undefined {
  if (typeof value === 'number') return toMs(value * 1000)
  if (typeof value !== 'string' || value.length > 64) return undefined
  const text = value.trim()
  const usual = usualInstant.test(text) ? Date.parse(text) : Number.NaN
  if (!Number.isNaN(usual)) return toMs(usual)
  if (decimal.test(text)) return toMs(Number(text) * 1000)
  const match = rfc3339.exec(text)
  return match === null ? undefined : fromParts(match)
}

function fromParts(match: RegExpExecArray): number | undefined {
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0))
  if (year === undefined || month === undefined || day === undefined) return undefined
  if (hour === undefined || minute === undefined || second === undefined) return undefined
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 60)
    return undefined
  const fractionMs = Math.round(Number(`0.${match[7] ?? 0}`) * 1000)
  return toMs(Date.UTC(year, month - 1, day, hour, minute, second) + fractionMs - zoneOffsetMs(match[8]))
}

function zoneOffsetMs(zone: string | undefined): number {
  if (zone === undefined || zone === 'Z' || zone === 'z') return 0
  const digits = zone.replaceAll(/\D/g, '')
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2) || 0)
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000
}

function toMs(ms: number): number | undefined {
  return ms >= 0 && ms <= lastMs ? Math.round(ms) : undefined
}
