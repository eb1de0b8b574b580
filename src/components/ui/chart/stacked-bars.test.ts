import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { outcomeKinds } from '#protocol/outcome.ts'
import { stackBars, sumSteps } from './stacked-bars.ts'

const height = 120

describe('stackBars', () => {
  it('keeps every segment visible and every bar inside the drawing for any counts', () => {
    const count = fc.oneof(fc.constant(0), fc.nat(5), fc.nat(1_000_000_000))
    const counts = fc.array(fc.tuple(...outcomeKinds.map(() => count)), { minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(counts, (steps) => {
        const series = outcomeKinds.map((outcome, kind) => ({
          name: outcome,
          counts: steps.map((step) => step[kind] ?? 0),
        }))
        for (const [index, { parts, total }] of stackBars(series, height).entries()) {
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

  it('draws the largest step at full height', () => {
    const [small, large] = stackBars([{ name: 'accepted', counts: [5, 10] }], height)
    expect(small?.parts).toEqual([{ name: 'accepted', y: 60, height: 60 }])
    expect(large?.parts).toEqual([{ name: 'accepted', y: 0, height: 120 }])
  })

  it('draws no bars without counts', () => {
    expect(stackBars([], height)).toEqual([])
    expect(stackBars([{ name: 'accepted', counts: [0] }], height)).toEqual([{ total: 0, parts: [] }])
  })
})

describe('sumSteps', () => {
  it('adds the counts of each step', () => {
    expect(sumSteps([{ counts: [1, 2] }, { counts: [10, 0] }])).toEqual([11, 2])
  })
})
