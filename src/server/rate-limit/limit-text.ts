import { isDataCategory } from '#protocol/data-category.ts'
import { limits } from '#server/limits.ts'
import type { RateLimit, RateLimits } from '#server/store/projects/settings.ts'

/** Seconds per unit name. */
const unitSeconds = new Map([
  ['s', 1],
  ['sec', 1],
  ['second', 1],
  ['m', 60],
  ['min', 60],
  ['minute', 60],
  ['h', 3_600],
  ['hour', 3_600],
  ['d', 86_400],
  ['day', 86_400],
])

const multiples = new Map([
  ['', 1],
  ['k', 1_000],
  ['M', 1_000_000],
  ['G', 1_000_000_000],
])

/** New limits by category; undefined removes a limit. */
export type LimitChanges = Map<string, RateLimit | undefined>

/** Parsed limits and the problems of invalid texts. */
export interface ReadLimits {
  changes: LimitChanges
  problems: string[]
}

/** Parses limits: `error=100/min`, `attachment=50M/hour`, `session=0`, `all=none`, or `1000/s` for `all`. */
export function parseLimitChanges(texts: readonly string[]): ReadLimits {
  const changes: LimitChanges = new Map()
  const problems: string[] = []
  for (const text of texts) {
    const equals = text.indexOf('=')
    const category = equals === -1 ? 'all' : text.slice(0, equals)
    const parsed = parseLimit(text.slice(equals + 1))
    if (category !== 'all' && !isDataCategory(category)) {
      problems.push(
        `${JSON.stringify(text)}: there is no category ${JSON.stringify(category)}. ` +
          'Examples: all, error, transaction, session, span, log_item, attachment (in bytes).',
      )
    } else if (parsed === undefined) {
      problems.push(
        `${JSON.stringify(text)}: a limit is written 100/min, 5000/30s, 50M/hour, 0 (nothing) or none ` +
          `(no limit), over ${limits.settingsWindowSeconds / 3_600} hours at most.`,
      )
    } else {
      changes.set(category, parsed === 'none' ? undefined : parsed)
    }
  }
  return { changes, problems }
}

/** Applies changes to limits. */
export function applyLimitChanges(before: RateLimits, changes: LimitChanges): RateLimits {
  const after = new Map<string, RateLimit | undefined>([...Object.entries(before), ...changes])
  return Object.fromEntries(
    [...after].flatMap(([name, limit]) => (limit === undefined ? [] : [[name, limit]])),
  )
}

/** Formats limits as `parseLimitChanges` parses them; empty without limits. */
export function formatLimits(all: RateLimits): string {
  const texts = Object.entries(all).map(([category, limit]) => `${category}=${formatLimit(limit)}`)
  return texts.toSorted().join(' ')
}

function formatLimit({ quantity, windowSeconds }: RateLimit): string {
  if (quantity === 0) return '0'
  return `${quantity}/${formatSeconds(windowSeconds)}`
}

/** Formats a duration in the largest unit with an integer number; omits the number 1. */
export function formatSeconds(seconds: number): string {
  for (const [unit, of] of [
    ['day', 86_400],
    ['hour', 3_600],
    ['min', 60],
  ] as const) {
    if (seconds === of) return unit
    if (seconds % of === 0) return `${seconds / of}${unit}`
  }
  return seconds === 1 ? 's' : `${seconds}s`
}

/** Parses a duration such as `90s`, `min` or `2h`. Undefined if it is invalid or too long. */
export function parseSeconds(text: string): number | undefined {
  const [, count = '', unit = ''] = /^([0-9]{0,6})([a-z]+)$/.exec(text) ?? []
  const seconds = (count === '' ? 1 : Number(count)) * (unitSeconds.get(unit) ?? 0)
  return seconds >= 1 && seconds <= limits.settingsWindowSeconds ? seconds : undefined
}

function parseLimit(text: string): RateLimit | 'none' | undefined {
  if (text === 'none') return 'none'
  if (text === '0') return { quantity: 0, windowSeconds: 60 }
  const [, count = '', multiple = '', time = ''] = /^([0-9]{1,12})([kMG]?)\/(.+)$/.exec(text) ?? []
  const windowSeconds = parseSeconds(time)
  if (count === '' || windowSeconds === undefined) return undefined
  return { quantity: Number(count) * (multiples.get(multiple) ?? 1), windowSeconds }
}
