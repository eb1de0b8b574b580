import * as v from 'valibot'
import { exactCount } from '#numbers/number-text.ts'
import { text } from '#server/forms/fields.ts'

/** A whole number from 1, with or without separators between the thousands: `1,000`, `1 000`, `1000`. */
export function countField(most = Number.MAX_SAFE_INTEGER) {
  return v.pipe(
    text,
    v.transform(parseCount),
    v.number('Enter a whole number of at least 1.'),
    v.minValue(1, 'Enter a whole number of at least 1.'),
    v.maxValue(most, `Enter at most ${exactCount(most)}.`),
  )
}

/** Reads a whole number with separators; undefined for anything else. */
export function parseCount(entered: string): number | undefined {
  const isGrouped = /^\d{1,3}([,.’'\s]\d{3})+$/.test(entered)
  const digits = isGrouped ? entered.replaceAll(/\D/g, '') : entered
  if (!/^\d{1,16}$/.test(digits)) return undefined
  const count = Number(digits)
  return Number.isSafeInteger(count) ? count : undefined
}
