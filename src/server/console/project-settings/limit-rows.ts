import * as v from 'valibot'
import { isDataCategory } from '#protocol/data-category.ts'
import { texts } from '#server/forms/fields.ts'
import { limits } from '#server/limits.ts'
import type { RateLimit, RateLimits } from '#server/store/projects/settings.ts'
import { parseCount } from './fields/count-field.ts'
import type { LimitRow } from './views.ts'

/**
 * The fields of a list of limits, one row each: `NAME-category`, `NAME-quantity`, `NAME-seconds`. A row
 * without a number is ignored.
 */
export function limitRowFields(name: string) {
  const [category, quantity, seconds] = rowFieldNames(name)
  return v.object({ [category]: texts, [quantity]: texts, [seconds]: texts })
}

function rowFieldNames(name: string): [category: string, quantity: string, seconds: string] {
  return [`${name}-category`, `${name}-quantity`, `${name}-seconds`]
}

/** The limits in the rows, or the error of one row. */
export type ReadLimitRows = { ok: true; limits: Record<string, RateLimit> } | { ok: false; message: string }

/** Parses the rows of a list of limits, in the order in which they were sent. */
export function readLimitRows(fields: Record<string, string[]>, name: string): ReadLimitRows {
  const [categories, quantities, windows] = rowFieldNames(name).map((field) => fields[field] ?? [])
  const read: Record<string, RateLimit> = {}
  for (const [at, category] of (categories ?? []).entries()) {
    const entered = quantities?.[at]?.trim() ?? ''
    if (entered === '') continue
    const row = readRow({ category, entered, window: windows?.[at] ?? '' })
    if (!row.ok) return row
    if (Object.hasOwn(read, category))
      return { ok: false, message: `Row ${at + 1}: there is already a limit for ${category}.` }
    read[category] = row.limit
  }
  return { ok: true, limits: read }
}

function readRow({
  category,
  entered,
  window,
}: {
  category: string
  entered: string
  window: string
}): { ok: true; limit: RateLimit } | { ok: false; message: string } {
  if (category !== 'all' && !isDataCategory(category))
    return { ok: false, message: `Unknown category ${JSON.stringify(category)}.` }
  const quantity = parseQuantity(entered)
  if (quantity === undefined)
    return {
      ok: false,
      message: `${JSON.stringify(entered)} is not a number: enter 100, 1,000 or 50M; 0 blocks everything.`,
    }
  const windowSeconds = Number(window)
  const isWindow = Number.isSafeInteger(windowSeconds) && windowSeconds >= 1
  return isWindow && windowSeconds <= limits.settingsWindowSeconds
    ? { ok: true, limit: { quantity, windowSeconds } }
    : { ok: false, message: 'Choose a time from the list.' }
}

const multiples: Record<string, number> = { k: 1e3, M: 1e6, G: 1e9 }

function parseQuantity(entered: string): number | undefined {
  const [, multiple] = /([kMG])$/.exec(entered) ?? []
  const count = parseCount(multiple === undefined ? entered : entered.slice(0, -1))
  if (count === undefined) return undefined
  const quantity = count * (multiples[multiple ?? ''] ?? 1)
  return Number.isSafeInteger(quantity) ? quantity : undefined
}

/** Limits as rows, in alphabetical order. */
export function toLimitRows(all: RateLimits): LimitRow[] {
  return Object.entries(all)
    .map(([category, { quantity, windowSeconds }]) => ({ category, quantity, windowSeconds }))
    .toSorted((one, other) => (one.category < other.category ? -1 : 1))
}
