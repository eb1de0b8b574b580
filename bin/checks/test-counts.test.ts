import { describe, expect, it } from 'vitest'
import { countsOf, noTests, sumOf, summaryLine } from './test-counts.ts'

describe('summaryLine', () => {
  it('lists skipped tests only when there are some', () => {
    expect(summaryLine({ passed: 12, failed: 0, skipped: 0 })).toBe('12 passed, 0 failed')
    expect(summaryLine({ passed: 1, failed: 2, skipped: 3 })).toBe('1 passed, 2 failed, 3 skipped')
  })
})

describe('countsOf', () => {
  it('counts a suite that crashed without a report as one failure', () => {
    expect(countsOf(1, undefined)).toEqual({ passed: 0, failed: 1, skipped: 0 })
    expect(countsOf(0, undefined)).toEqual({ passed: 0, failed: 1, skipped: 0 })
  })

  it('counts a suite that exits with an error although every test passed as one failure', () => {
    expect(countsOf(1, { passed: 4, failed: 0, skipped: 1 })).toEqual({
      passed: 4,
      failed: 1,
      skipped: 1,
    })
  })

  it('adds nothing to failures that are already counted', () => {
    expect(countsOf(1, { passed: 4, failed: 2, skipped: 0 })).toEqual({
      passed: 4,
      failed: 2,
      skipped: 0,
    })
  })

  it('returns the report of a successful suite unchanged', () => {
    expect(countsOf(0, { passed: 4, failed: 0, skipped: 0 })).toEqual({
      passed: 4,
      failed: 0,
      skipped: 0,
    })
  })
})

describe('sumOf', () => {
  it('adds each count', () => {
    const counts = { passed: 1, failed: 2, skipped: 3 }
    expect(sumOf(counts, counts)).toEqual({ passed: 2, failed: 4, skipped: 6 })
    expect(sumOf(noTests, counts)).toEqual(counts)
  })
})
