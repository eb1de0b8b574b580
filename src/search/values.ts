import { dayMs, minuteMs, timeUnitMs } from '#time/time-steps.ts'
import type { InstantRange, NumberRange } from './term.ts'
import type { ValuePattern } from './value-pattern.ts'

/** A parsed value, or the problem. */
export type Read<T> = { ok: true; value: T } | { ok: false; message: string }

/** The parsed value. */
export const read = <T>(value: T): Read<T> => ({ ok: true, value })

/** The problem. */
export const invalid = (message: string): Read<never> => ({ ok: false, message })

/** Maximum number of values of a list: each can be a lookup per issue. */
const mostValues = 50

/** Maximum number of wildcards in a value. */
const mostWildcards = 5

/** Reads `a`, `a,"b c"` or `[a, b]`. `*` outside quotes is a wildcard, `\*` is not. */
export function readValues(word: string, text: string): Read<ValuePattern[]> {
  const isListed = text.startsWith('[')
  if (isListed && !text.endsWith(']')) return invalid(`Missing ] after ${word}.`)
  const items = splitAtCommas(isListed ? text.slice(1, -1) : text).map((item) => item.trim())
  if (items.length > mostValues) return invalid(`${word} accepts at most ${mostValues} values.`)
  const values: ValuePattern[] = []
  for (const item of items) {
    if (item === '') return invalid(`${word} needs a value on each side of a comma.`)
    const value = readPattern(word, item)
    if (!value.ok) return value
    values.push(value.value)
  }
  return read(values)
}

/** Reads one value. */
export function readPattern(word: string, item: string): Read<ValuePattern> {
  if (item.startsWith('"')) {
    const text = readQuoted(item)
    return text === undefined ? invalid(`Missing closing quote after ${word}.`) : read({ pieces: [text] })
  }
  const pieces = splitAtStars(item)
  if (pieces.length - 1 <= mostWildcards) return read({ pieces })
  return invalid(`${word} accepts at most ${mostWildcards} wildcards in a value.`)
}

/** The pieces between the stars; several stars in a row are one. */
function splitAtStars(item: string): string[] {
  const pieces = ['']
  for (const [piece] of item.matchAll(/\\\*|\*+|[^*\\]+|\\/g)) {
    if (piece.startsWith('*')) pieces.push('')
    else pieces[pieces.length - 1] += piece === '\\*' ? '*' : piece
  }
  return pieces
}

/** The text between quotes, `\"` and `\\` undone; undefined if the quote does not end with the item. */
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

/** Reads `>100`, `>=1k`, `<5`, `<=5`, `7`. */
export function readNumberRange(word: string, text: string): Read<NumberRange> {
  const [, sign = '', digits = '', unit = ''] = /^(>=|<=|>|<|=)?(\d{1,12})(k|m)?$/i.exec(text) ?? []
  if (digits === '') return invalid(`${word} needs a number, e.g. ${word}:>100.`)
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

const datePattern =
  /^(>=|<=|>|<)?(\d{4}-\d{2}-\d{2})(?:(T\d{2}:\d{2})(:\d{2}(?:\.\d{1,6})?)?(Z|[+-]\d{2}:\d{2})?)?$/

/**
 * Reads `-24h` (within), `+7d` (longer ago), `>2026-11-01`, `<2026-11-01T12:00Z`, `2026-11-01`. Days are
 * UTC's. As in Sentry, a day without a sign is the whole day, and with a sign the instant at which it begins.
 */
export function readInstantRange(word: string, text: string): Read<InstantRange> {
  const [, direction, count = '', unit = ''] = /^([+-])(\d{1,5})([mhdw])$/i.exec(text) ?? []
  if (direction !== undefined) {
    const ago = { agoMs: Number(count) * (timeUnitMs[unit.toLowerCase()] ?? 0) }
    return read(direction === '-' ? { from: ago } : { to: ago })
  }
  const [, sign = '', date = '', time, seconds, zone = 'Z'] = datePattern.exec(text) ?? []
  const at = Date.parse(time === undefined ? date : `${date}${time}${seconds ?? ''}${zone}`)
  if (Number.isNaN(at)) {
    return invalid(
      `${word} needs a time, e.g. ${word}:-24h for the last 24 hours, ${word}:+7d for longer ago than that, or ${word}:>2026-11-01.`,
    )
  }
  if (sign === '') return read({ from: { at }, to: { at: at + (time === undefined ? dayMs : minuteMs) } })
  if (sign === '>' || sign === '>=') return read({ from: { at: sign === '>' ? at + 1 : at } })
  return read({ to: { at: sign === '<' ? at : at + 1 } })
}

/** Reads `true`, `1`, `yes` and their opposites. */
export function readFlag(word: string, text: string): Read<boolean> {
  if (/^(?:true|1|yes)$/i.test(text)) return read(true)
  if (/^(?:false|0|no)$/i.test(text)) return read(false)
  return invalid(`${word} must be ${word}:true or ${word}:false.`)
}
