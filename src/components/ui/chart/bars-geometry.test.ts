import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { barsPath, barsSummary, barsWidth, layOutBars } from './bars-geometry.ts'

const box = { height: 24, barWidth: 3, gap: 1 }

describe('layOutBars', () => {
  it('draws the largest count at full height and every bar from the baseline', () => {
    expect(layOutBars([0, 5, 10], box)).toEqual([
      { x: 0, y: 24, width: 3, height: 0 },
      { x: 4, y: 12, width: 3, height: 12 },
      { x: 8, y: 0, width: 3, height: 24 },
    ])
  })

  it('keeps a single event visible next to a very high count', () => {
    expect(layOutBars([1, 1_000_000], box)[0]?.height).toBe(1)
  })

  it('stays inside its box for any counts', () => {
    fc.assert(
      fc.property(fc.array(fc.nat()), (counts) => {
        for (const bar of layOutBars(counts, box)) {
          expect(bar.y).toBeGreaterThanOrEqual(0)
          expect(bar.y + bar.height).toBe(box.height)
          expect(bar.x + bar.width).toBeLessThanOrEqual(barsWidth(counts.length, box))
        }
      }),
    )
  })
})

describe('barsPath', () => {
  it('draws no bars without counts', () => {
    expect(barsPath(layOutBars([0, 0], box))).toBe('')
    expect(barsPath([])).toBe('')
  })

  it('draws one closed shape per bar', () => {
    expect(barsPath(layOutBars([2, 0, 1], box))).toBe('M0 0h3v24h-3zM8 12h3v12h-3z')
  })
})

describe('barsSummary', () => {
  it('reports an empty range as "none"', () => {
    expect(barsSummary([0, 0, 0])).toBe('none in 3 hours')
  })

  it('reports the total and its peak', () => {
    expect(barsSummary([1200, 0, 30])).toBe('1,230 in 3 hours, at most 1,200 in an hour, 2 hours ago')
    expect(barsSummary([0, 7, 7])).toBe('14 in 3 hours, at most 7 in an hour, this hour')
  })
})
