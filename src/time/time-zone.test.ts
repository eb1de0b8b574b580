import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatField, parseField } from './time-field.ts'
import { formatSpan, isMidnight } from './time-span.ts'
import { dayMs, hourMs, minuteMs } from './time-steps.ts'
import { formatInstant, isTimeZone } from './time-zone.ts'

const winter = Date.UTC(2026, 0, 31, 23, 30, 5)
const summer = Date.UTC(2026, 6, 1, 12)

describe('an instant in a time zone', () => {
  it.each([
    ['UTC', '2026-01-31 23:30:05 UTC'],
    ['Europe/Berlin', '2026-02-01 00:30:05 UTC+1'],
    ['America/St_Johns', '2026-01-31 20:00:05 UTC−3:30'],
    ['Asia/Kathmandu', '2026-02-01 05:15:05 UTC+5:45'],
    ['Nowhere/City', '2026-01-31 23:30:05 UTC'],
  ])('names it: %s', (zone, text) => {
    expect(formatInstant(winter, zone)).toBe(text)
  })

  it('is formatted with the requested precision', () => {
    expect(formatInstant(winter, 'Europe/Berlin', 'minute')).toBe('2026-02-01 00:30 UTC+1')
    expect(formatInstant(winter, 'Europe/Berlin', 'day')).toBe('2026-02-01 UTC+1')
    expect(formatInstant(summer, 'Europe/Berlin', 'day')).toBe('2026-07-01 UTC+2')
  })

  it.each([Number.NaN, 1e20, -Infinity])('is unknown when no date can represent it: %s', (at) => {
    expect(formatInstant(at, 'Europe/Berlin')).toBe('unknown time')
    expect(formatField(at, 'Europe/Berlin')).toBe('')
  })

  it('can be before the year 1', () => {
    expect(formatInstant(Date.UTC(-1, 0, 1), 'Europe/Berlin')).toMatch(/^-000001-01-01 00:00:00/)
  })

  it('is a span from one to another', () => {
    const span = { from: winter, to: winter + 6 * hourMs }
    expect(formatSpan(span, 'Europe/Berlin')).toBe('2026-02-01 00:30 – 06:30 UTC+1')
    expect(formatSpan(span, 'UTC')).toBe('2026-01-31 23:30 – 2026-02-01 05:30 UTC')
  })

  it('is a day when the span is one of the time zone', () => {
    const from = Date.UTC(2026, 0, 31, 23)
    const day = { from, to: from + dayMs }
    expect(formatSpan(day, 'Europe/Berlin')).toBe('2026-02-01 UTC+1')
    expect(formatSpan(day, 'UTC')).toBe('2026-01-31 23:00 – 2026-02-01 23:00 UTC')
  })

  it('is midnight in one time zone and not in another', () => {
    const at = Date.UTC(2026, 0, 31, 23)
    expect([isMidnight(at, 'Europe/Berlin'), isMidnight(at, 'UTC')]).toEqual([true, false])
  })
})

describe('a field for date and time', () => {
  it.each([
    ['2026-02-01T00:30', 'Europe/Berlin', Date.UTC(2026, 0, 31, 23, 30)],
    ['2026-02-01', 'Europe/Berlin', Date.UTC(2026, 0, 31, 23)],
    ['2026-07-01T14:00', 'Europe/Berlin', summer],
    // The clocks go from 2:00 to 3:00 on this day, and from 3:00 to 2:00 on the other.
    ['2026-03-29T02:30', 'Europe/Berlin', Date.UTC(2026, 2, 29, 1, 30)],
    ['2026-10-25T02:30', 'Europe/Berlin', Date.UTC(2026, 9, 25, 0, 30)],
    ['2026-07-01T12:00', 'UTC', summer],
    ['2026-07-01T12:00:00Z', 'Europe/Berlin', summer],
  ])('is an instant: %s in %s', (text, zone, at) => {
    expect(parseField(text, zone)).toBe(at)
  })

  it.each(['', 'soon', '2026-13-01', '2026-02-01T99:00'])('rejects %j', (text) => {
    expect(parseField(text, 'Europe/Berlin')).toBeUndefined()
  })

  it('parses what it formats', () => {
    const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu']
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 }), fc.constantFrom(...zones), (minutes, zone) => {
        const field = formatField(minutes * minuteMs, zone)
        const read = parseField(field, zone)
        // An ambiguous time is the first of both.
        expect(read === undefined ? '' : formatField(read, zone)).toBe(field)
      }),
    )
  })
})

it('a time zone is valid or not', () => {
  expect(['UTC', 'Europe/Berlin', 'Mars/Base', ''].map(isTimeZone)).toEqual([true, true, false, false])
})
