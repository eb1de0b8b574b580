import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { outcomeKinds } from '#protocol/outcome.ts'
import { stackOutcomes, stepTotals } from './outcome-bars.ts'

const height = 120

describe('stackOutcomes', () => {
  it('keeps every part visible and every bar inside the drawing, whatever the counts', () => {
    const count = fc.oneof(fc.constant(0), fc.nat(5), fc.nat(1_000_000_000))
    const counts = fc.array(fc.tuple(...outcomeKinds.map(() => count)), { minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(counts, (steps) => {
        const series = outcomeKinds.map((outcome, kind) => ({
          outcome,
          counts: steps.map((step) => step[kind] ?? 0),
        }))
        for (const [index, { parts, total }] of stackOutcomes(series, height).entries()) {
          expect(total).toBe(steps[index]?.reduce((sum, each) => sum + each, 0))
          expect(parts).toHaveLength(steps[index]?.filter((each) => each > 0).length ?? 0)
          let bottom = height
          for (const part of parts) {
            expect(part.height).toBeGreaterThanOrEqual(1)
            expect(part.y + part.height).toBeCloseTo(bottom, 5)
            bottom = part.y
          }
          expect(bottom).toBeGreaterThanOrEqual(-0.1)
        }
      }),
    )
  })

  it('gives the largest step the whole height', () => {
    const [small, large] = stackOutcomes([{ outcome: 'accepted', counts: [5, 10] }], height)
    expect(small?.parts).toEqual([{ outcome: 'accepted', y: 60, height: 60 }])
    expect(large?.parts).toEqual([{ outcome: 'accepted', y: 0, height: 120 }])
  })

  it('draws nothing without counts', () => {
    expect(stackOutcomes([], height)).toEqual([])
    expect(stackOutcomes([{ outcome: 'accepted', counts: [0] }], height)).toEqual([{ total: 0, parts: [] }])
  })
})

describe('stepTotals', () => {
  it('adds the outcomes of each step', () => {
    expect(
      stepTotals([
        { outcome: 'accepted', counts: [1, 2] },
        { outcome: 'filtered', counts: [10, 0] },
      ]),
    ).toEqual([11, 2])
  })
})
