import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseRetryAfter } from './retry-after.ts'

const now = Date.UTC(2026, 10, 21, 12, 0, 0)

describe('parseRetryAfter', () => {
  it.each([
    ['0', 0],
    [' 120 ', 120],
    ['1.5', 1.5],
    ['1000000000', 1e9],
    ['Sat, 21 Nov 2026 12:01:00 GMT', 60],
    ['Saturday, 21-Nov-26 12:01:00 GMT', 60],
    ['Sat Nov 21 12:01:00 2026 GMT', 60],
    ['Sat, 21 Nov 2026 11:00:00 GMT', 0],
  ])('reads %s', (text, seconds) => {
    expect(parseRetryAfter(text, now)).toBe(seconds)
  })

  it.each(['', '-1', '+1', '1e9', '0x10', 'soon', 'NaN', 'Infinity', '2026-11-21', '1, 2', 'Sat, nonsense'])(
    'returns undefined for %s',
    (text) => {
      expect(parseRetryAfter(text, now)).toBeUndefined()
    },
  )

  it('returns a non-negative number or undefined', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.date().map((date) => String(date)),
        ),
        (text) => {
          const seconds = parseRetryAfter(text, now)
          return seconds === undefined || seconds >= 0
        },
      ),
    )
  })
})
