import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isoInstant, offsetText, relativeTime } from './relative-time.ts'

const now = Date.UTC(2026, 1, 13, 14, 22, 11)
const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

function plain(text: string): string {
  return text.replaceAll('\u00a0', ' ')
}

describe('relativeTime', () => {
  it.each([
    [0, 'just now'],
    [59 * second, 'just now'],
    [-59 * second, 'just now'],
    [minute, '1 min ago'],
    [59 * minute + 59 * second, '59 min ago'],
    [hour, '1 h ago'],
    [30 * hour, '30 h ago'],
    [2 * day, '2 d ago'],
    [59 * day, '59 d ago'],
    [60 * day, '2 mo ago'],
    [729 * day, '24 mo ago'],
    [900 * day, '2 y ago'],
    [-3 * hour, 'in 3 h'],
    [-(2 * hour - 5 * second), 'in 2 h'],
    [-(hour + 29 * minute), 'in 1 h'],
    [-(59 * minute + 40 * second), 'in 1 h'],
    [-(47 * hour + 40 * minute), 'in 2 d'],
    [-(59 * day + 13 * hour), 'in 2 mo'],
    [-725 * day, 'in 2 y'],
  ])('formats %d ms ago as %s', (agoMs, text) => {
    expect(plain(relativeTime(now - agoMs, now))).toBe(text)
  })

  it('uses the given word for an imminent time', () => {
    expect(relativeTime(now + 20 * second, now, 'soon')).toBe('soon')
    expect(plain(relativeTime(now + 2 * minute, now, 'soon'))).toBe('in 2 min')
  })

  it('returns "at an unknown time" for an invalid time', () => {
    expect(relativeTime(Number.NaN, now)).toBe('at an unknown time')
    expect(relativeTime(Infinity, now)).toBe('at an unknown time')
  })
})

describe('exact times', () => {
  it('are the same text for machines everywhere', () => {
    expect(isoInstant(now)).toBe('2026-02-13T14:22:11.000Z')
  })

  it('never throw for any number', () => {
    fc.assert(
      fc.property(fc.double(), (at) => {
        expect(typeof relativeTime(at, now)).toBe('string')
        expect(typeof offsetText(at)).toBe('string')
      }),
    )
  })
})

describe('offsetText', () => {
  it.each([
    [-20, '−0.02 s'],
    [-2350, '−2.35 s'],
    [0, '+0.00 s'],
    [-185_000, '−3 min 5 s'],
    [-(3 * hour + 61_000), '−3 h 1 min'],
    [-3 * day, '−3 d'],
    [1500, '+1.50 s'],
  ])('writes %d ms as %s', (distanceMs, text) => {
    expect(plain(offsetText(distanceMs))).toBe(text)
  })

  it('is empty for an invalid number', () => {
    expect(offsetText(Number.NaN)).toBe('')
  })
})
