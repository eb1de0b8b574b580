import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { byteText, compactCount, countedNoun, exactCount, percentText, shareLeftText } from './number-text.ts'

describe('compactCount', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1000, '1.0k'],
    [1204, '1.2k'],
    [12_403, '12.4k'],
    [99_999, '99.9k'],
    [128_403, '128k'],
    [999_999, '999k'],
    [1_000_000, '1.0M'],
    [3_140_000_000, '3.1B'],
  ])('writes %d as %s', (value, text) => {
    expect(compactCount(value)).toBe(text)
  })

  it('has at most six characters below a trillion', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999_999 }), (value) => {
        expect(compactCount(value).length).toBeLessThanOrEqual(6)
      }),
    )
  })
})

describe('exactCount', () => {
  it('separates thousands independently of the locale', () => {
    expect(exactCount(1_234_567)).toBe('1,234,567')
    expect(exactCount(123)).toBe('123')
    expect(exactCount(Number.NaN)).toBe('0')
  })
})

describe('percentText', () => {
  it.each([
    [0, 10, '0%'],
    [1, 1000, '<1%'],
    [1, 3, '33%'],
    [999, 1000, '99%'],
    [10, 10, '100%'],
    [1, 0, '0%'],
  ])('writes %d of %d as %s', (part, whole, text) => {
    expect(percentText(part, whole)).toBe(text)
  })
})

describe('shareLeftText', () => {
  it.each([
    [0, 10, '100%'],
    [1, 2_000, '99.950%'],
    [1, 1_000_000, '99.999%'],
    [1, 10 ** 12, '99.999%'],
    [1, 500, '99.80%'],
    [1, 8, '87.5%'],
    [5, 4, '0%'],
    [2, 7, '71.4%'],
    [1, 10, '90.00%'],
    [3, 3, '0%'],
    [0, 0, '—'],
  ])('writes the rest without %d of %d as %s', (part, whole, text) => {
    expect(shareLeftText(part, whole)).toBe(text)
  })
})

describe('countedNoun', () => {
  it('agrees with its number', () => {
    expect(countedNoun(1, 'event')).toBe('1 event')
    expect(countedNoun(12_403, 'event')).toBe('12,403 events')
    expect(countedNoun(2, 'entry', 'entries')).toBe('2 entries')
  })
})

describe('byteText', () => {
  it.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [999, '999 bytes'],
    [1000, '1 kB'],
    [1290, '1.2 kB'],
    [70_999, '70 kB'],
    [999_999, '999 kB'],
    [10_485_760, '10 MB'],
    [999_999_999, '999 MB'],
    [5_000_000_000, '5 GB'],
    [5_000_000_000_000, '5,000 GB'],
  ])('writes %d as %s', (bytes, text) => {
    expect(byteText(bytes)).toBe(text)
  })
})
