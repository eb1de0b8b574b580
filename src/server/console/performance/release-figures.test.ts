import { describe, expect, it } from 'vitest'
import type { FigureRow } from '#server/store/figures/read-figures.ts'
import { createSums } from '#server/store/figures/sums.ts'
import { hourMs } from '#time/time-steps.ts'
import { encodeHistogram } from '#traces/histogram.ts'
import { toReleaseFigures } from './release-figures.ts'

const row = (release: string, hour: number, count = 1): FigureRow => ({
  projectId: 1,
  nameId: 1,
  at: hour * hourMs,
  facet: release,
  sums: { ...createSums(), count, weight: count, histogram: encodeHistogram(new Map([[10, count]])) },
})

const versionsOf = (rows: FigureRow[]) => toReleaseFigures(rows, hourMs).map(({ version }) => version)

describe('the releases of a transaction', () => {
  it('are in the order of their versions, even if their figures are of the same hour', () => {
    expect(versionsOf([row('web@1.9.0', 1), row('web@1.10.0', 1), row('web@1.2.0', 1)])).toEqual([
      'web@1.10.0',
      'web@1.9.0',
      'web@1.2.0',
    ])
  })

  it('are in the order of their versions when an old one is deployed again', () => {
    expect(versionsOf([row('web@2.0.0', 1), row('web@1.9.0', 2)])).toEqual(['web@2.0.0', 'web@1.9.0'])
  })

  it('are in the order of their first transaction if they are hashes', () => {
    expect(versionsOf([row('0a1b2c3d', 1), row('9f8e7d6c', 2), row('0a1b2c3d', 3)])).toEqual([
      '9f8e7d6c',
      '0a1b2c3d',
    ])
  })

  it('have the sums of all their hours', () => {
    expect(toReleaseFigures([row('web@1', 1, 2), row('web@1', 2, 3)], 2 * hourMs)).toMatchObject([
      { version: 'web@1', firstSeenAt: hourMs, count: 5 },
    ])
  })
})
