import type { SearchedInstant, SearchedValue } from './search-term.ts'

/** Something read, or why it could not be. */
export type Read<T> = { ok: true; value: T } | { ok: false; message: string }

const read = <T>(value: T): Read<T> => ({ ok: true, value })
const refuse = (message: string): Read<never> => ({ ok: false, message })

const mostValues = 50

/** Reads `a`, `a,"b c"` or `[a, b]`. A bare value may end in `*`. */
export function readValues(key: string, text: string): Read<SearchedValue[]> {
  const isListed = text.startsWith('[')
  if (isListed && !text.endsWith(']')) return refuse(`The list of ${key} has no end: close it with ].`)
  const items = splitAtCommas(isListed ? text.slice(1, -1) : text).map((item) => item.trim())
  if (items.length > mostValues) return refuse(`${key} takes at most ${mostValues} values.`)
  const values: SearchedValue[] = []
  for (const item of items) {
    if (item === '') return refuse(`${key} needs a value on each side of a comma.`)
    const value = readValue(key, item)
    if (!value.ok) return value
    values.push(value.value)
  }
  return read(values)
}

function readValue(key: string, item: string): Read<SearchedValue> {
  if (item.startsWith('"')) {
    const text = readQuoted(item)
    return text === undefined
      ? refuse(`The quotes of ${key} do not end: close them with ".`)
      : read({ text, isPrefix: false })
  }
  const star = item.indexOf('*')
  if (star !== -1 && star !== item.length - 1) {
    return refuse(
      `A * stands for the rest of a value, so only at its end: ${key}:${item.slice(0, star) || 'begin'}*. Put the value in quotes if it has a * in it.`,
    )
  }
  return read({ text: star === -1 ? item : item.slice(0, star), isPrefix: star !== -1 })
}

/** The text between quotes, `\"` and `\\` undone; undefined where it does not end with the item. */
export function readQuoted(item: string): string | undefined {
  const inner = /^"((?:[^"\\]|\\[^])*)"$/.exec(item)?.[1]
  return inner?.replaceAll(/\\([^])/g, '$1')
}

function splitAtCommas(text: string): string[] {
  const parts = ['']
  let isQuoted = false
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at)
    if (character === '"') isQuoted = !isQuoted
    if (character === ',' && !isQuoted) {
      parts.push('')
      continue
    }
    const taken = isQuoted && character === '\\' ? text.slice(at, at + 2) : character
    parts[parts.length - 1] += taken
    at += taken.length - 1
  }
  return parts
}

/** From and to, both included. */
export interface NumberRange {
  min?: number
  max?: number
}

/** Reads `>100`, `>=1k`, `<5`, `<=5`, `7`. */
export function readNumberRange(key: string, text: string): Read<NumberRange> {
  const [, sign = '', digits = '', unit = ''] = /^(>=|<=|>|<|=)?(\d{1,12})(k|m)?$/i.exec(text) ?? []
  if (digits === '') return refuse(`${key} takes a number, such as ${key}:>100.`)
  const scale = unit === '' ? 1 : unit.toLowerCase() === 'k' ? 1e3 : 1e6
  const number = Number(digits) * scale
  switch (sign) {
    case '>':
      return read({ min: number + 1 })
    case '>=':
      return read({ min: number })
    case '<':
      return read({ max: number - 1 })
    case '<=':
      return read({ max: number })
    case undefined:
    default:
      return read({ min: number, max: number })
  }
}

/** From included, to not. */
export interface InstantRange {
  from?: SearchedInstant
  to?: SearchedInstant
}

const unitMs: Record<string, number> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

/** Reads `-24h` (within), `+7d` (longer ago), `>2026-11-01`, `<2026-11-01T12:00`, `2026-11-01`. Days are UTC's. */
export function readInstantRange(key: string, text: string): Read<InstantRange> {
  const [, direction, count = '', unit = ''] = /^([+-])(\d{1,5})([mhdw])$/i.exec(text) ?? []
  if (direction !== undefined) {
    const ago = { agoMs: Number(count) * (unitMs[unit.toLowerCase()] ?? 0) }
    return read(direction === '-' ? { from: ago } : { to: ago })
  }
  const [, sign = '', date = '', time] =
    /^(>=|<=|>|<)?(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(?::\d{2})?Z?)?$/.exec(text) ?? []
  const at = Date.parse(time === undefined ? date : `${date}${time.replace(/Z?$/, 'Z')}`)
  if (Number.isNaN(at)) {
    return refuse(
      `${key} takes a time, such as ${key}:-24h for the last 24 hours, ${key}:+7d for longer ago than that, or ${key}:>2026-11-01.`,
    )
  }
  const next = at + (time === undefined ? 86_400_000 : 60_000)
  if (sign === '') return read({ from: { at }, to: { at: next } })
  if (sign === '>' || sign === '>=') return read({ from: { at: sign === '>' ? next : at } })
  return read({ to: { at: sign === '<' ? at : next } })
}
