import { describe, expect, it } from 'vitest'
import { dayMs, hourMs } from '#time/time-steps.ts'
import { releasePositions, stepLabel, stepSearch, trendSummary } from './trend-steps.ts'

const since = Date.UTC(2026, 10, 21)
const series = { since, stepMs: 6 * hourMs, counts: [0, 5, 0, 2] }

describe('a step of a trend', () => {
  it('links to the events between its start and the start of the next step', () => {
    expect(stepSearch(series, 1)).toEqual({ since: '2026-11-21T06:00', until: '2026-11-21T12:00' })
  })

  it('is labelled by its hours, or by its day', () => {
    expect(stepLabel(series, 1, 'UTC')).toBe('2026-11-21 06:00 – 12:00 UTC')
    expect(stepLabel(series, 3, 'UTC')).toBe('2026-11-21 18:00 – 2026-11-22 00:00 UTC')
    expect(stepLabel({ ...series, stepMs: dayMs }, 0, 'UTC')).toBe('2026-11-21 UTC')
  })
})

it('the summary of a trend gives the total and its peak', () => {
  expect(trendSummary(series, 'UTC')).toBe(
    '7 events in this period, at most 5 in one bar: 2026-11-21 06:00 – 12:00 UTC.',
  )
  expect(trendSummary({ ...series, counts: [0, 1] }, 'UTC')).toMatch(
    /^1 event in this period, at most 1 in one bar: /,
  )
  expect(trendSummary({ ...series, counts: [0, 0] }, 'UTC')).toBe('No events in this period.')
})

it('releases appear at the step of their start, grouped by step, and only within the range', () => {
  const releases = [
    { version: 'old', at: since - 1 },
    { version: 'a', at: since + 7 * hourMs },
    { version: 'b', at: since + 8 * hourMs },
    { version: 'c', at: since + 23 * hourMs },
    { version: 'late', at: since + dayMs },
  ]
  expect(releasePositions(series, releases)).toEqual([
    { index: 1, versions: ['a', 'b'] },
    { index: 3, versions: ['c'] },
  ])
})
