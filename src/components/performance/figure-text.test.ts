import { describe, expect, it } from 'vitest'
import { dayMs } from '#time/time-steps.ts'
import {
  changeText,
  columnDuration,
  figureDuration,
  rateText,
  shareText,
  spanDurationText,
} from './figure-text.ts'

describe('figures as text', () => {
  it('have two or three digits', () => {
    expect(
      [0, 0.424, 12.34, 999.4, 1_240, 59_000, 210_000, 7_200_000, 3_650 * dayMs].map(figureDuration),
    ).toEqual(['0 ms', '0.42 ms', '12.3 ms', '999 ms', '1.24 s', '59 s', '3.5 min', '2 h', '3650 d'])
  })

  it('keep trailing zeros, so that the values of a column can be compared', () => {
    expect([0, 0.004, 0.5, 4.3, 12, 99.96, 1240.4].map(rateText)).toEqual([
      '0',
      '<0.01',
      '0.50',
      '4.30',
      '12.0',
      '100',
      '1,240',
    ])
    expect([0, 0.0001, 0.01, 0.0123, 0.0996, 0.5, 1].map(shareText)).toEqual([
      '0%',
      '<0.1%',
      '1.0%',
      '1.2%',
      '10%',
      '50%',
      '100%',
    ])
    expect([312, 1_000, 1_240, 12_000, 312_400, 2_500_000, 240_000_000].map(spanDurationText)).toEqual([
      '312 µs',
      '1.00 ms',
      '1.24 ms',
      '12.0 ms',
      '312 ms',
      '2.50 s',
      '4.00 min',
    ])
  })

  it('have three digits in a column of durations', () => {
    expect(
      [0, 0.424, 1, 9.996, 12, 99.96, 120, 999.6, 1_000, 1_200, 59_000, 210_000, 3_650 * dayMs].map(
        columnDuration,
      ),
    ).toEqual([
      '0.00 ms',
      '0.42 ms',
      '1.00 ms',
      '10.0 ms',
      '12.0 ms',
      '100 ms',
      '120 ms',
      '1.00 s',
      '1.00 s',
      '1.20 s',
      '59.0 s',
      '3.50 min',
      '3650 d',
    ])
  })

  it('show the change if there are earlier figures', () => {
    expect(changeText(112, 100)).toBe('+12%')
    expect(changeText(50, 100)).toBe('−50%')
    expect(changeText(100.2, 100)).toBeUndefined()
    expect(changeText(5, 0)).toBeUndefined()
    expect(changeText(2_000, 100)).toBe('×20')
    expect(changeText(0.4, 100)).toBe('−99%')
    expect(changeText(0, 100)).toBe('−100%')
  })
})
