import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseTimestamp } from './timestamp.ts'

const instant = Date.UTC(2026, 10, 21, 2, 49, 15, 421)

const twoDigits = (max: number) =>
  fc.integer({ min: 0, max }).map((number) => String(number).padStart(2, '0'))

describe('parseTimestamp', () => {
  it.each([
    [1795229355.421],
    ['1795229355.421'],
    ['2026-11-21T02:49:15.421Z'],
    ['2026-11-21T02:49:15.421'],
    ['2026-11-21 02:49:15.421'],
    ['2026-11-21T02:49:15.421000123+00:00'],
    ['2026-11-21t04:49:15.421+0200'],
    ['2026-11-20T21:19:15.421-05:30'],
    [' 2026-11-21T02:49:15,421Z '],
  ])('reads %s', (value) => {
    expect(parseTimestamp(value)).toBe(instant)
  })

  it('reads a date without a time and a time without seconds', () => {
    expect(parseTimestamp('2026-11-21')).toBe(Date.UTC(2026, 10, 21))
    expect(parseTimestamp('2026-11-21T02:49Z')).toBe(Date.UTC(2026, 10, 21, 2, 49))
  })

  it.each([
    1e20,
    -1,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '',
    'now',
    '2026-13-01T00:00:00Z',
    '2026-01-01T24:00:00Z',
    null,
    {},
    [],
    true,
  ])('rejects %s', (value) => {
    expect(parseTimestamp(value)).toBeUndefined()
  })

  it('reads every ISO date that JavaScript writes, as whole milliseconds', () => {
    const date = fc.date({ min: new Date(0), max: new Date(253_402_300_799_999), noInvalidDate: true })
    fc.assert(
      fc.property(date, (each) => {
        expect(parseTimestamp(each.toISOString())).toBe(each.getTime())
        expect(parseTimestamp(each.getTime() / 1000)).toBe(each.getTime())
      }),
    )
  })

  it('parses the usual form like all other forms for any numbers', () => {
    fc.assert(
      fc.property(
        fc.tuple(twoDigits(13), twoDigits(33)),
        fc.tuple(twoDigits(25), twoDigits(61)),
        (date, time) => {
          const [hour, second] = time
          const text = `2024-${date.join('-')}T${hour}:59:${second}.120`
          expect(parseTimestamp(`${text}Z`)).toBe(parseTimestamp(`${text}+00:00`))
        },
      ),
      { numRuns: 2_000 },
    )
  })

  it('never throws for any value', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const at = parseTimestamp(value)
        expect(at === undefined || Number.isSafeInteger(at)).toBe(true)
      }),
    )
  })
})
