import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { hourMs } from '#time/time-steps.ts'
import { createSpikeProtection, type SpikeProtection } from './spike-protection.ts'

const settings = { isOn: true, fullEvents: 10, windowSeconds: 3_600, sampleEvery: 5 }

/** The number of stored events of `count` simultaneous events of an issue. */
function keptOf(
  guard: SpikeProtection,
  count: number,
  [at, issueId = 1]: [at: number, issueId?: number],
): number {
  return Array.from({ length: count }, () => guard.keeps(issueId, at, settings)).filter(Boolean).length
}

describe('the spike protection', () => {
  it('keeps the first events of an issue, then a sample of them', () => {
    const guard = createSpikeProtection()
    expect(keptOf(guard, 10, [0])).toBe(10)
    expect(keptOf(guard, 50, [0])).toBe(10)
  })

  it('counts an event once that is written again after a rollback', () => {
    const guard = createSpikeProtection()
    keptOf(guard, 6, [0])
    guard.committed()
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expect(keptOf(guard, 4, [0])).toBe(4)
      expect(keptOf(guard, 5, [limits.spikeProtectionSampleMs])).toBe(2)
      guard.rolledBack()
    }
    expect(keptOf(guard, 4, [0])).toBe(4)
  })

  it('samples each issue separately', () => {
    const guard = createSpikeProtection()
    keptOf(guard, 100, [0])
    expect(keptOf(guard, 10, [0, 2])).toBe(10)
  })

  it('keeps the first events again in the next window, and after the clock was set back by as much', () => {
    const guard = createSpikeProtection()
    keptOf(guard, 100, [0])
    expect(keptOf(guard, 4, [3_599_999])).toBeLessThan(4)
    expect(keptOf(guard, 10, [hourMs])).toBe(10)
    expect(keptOf(guard, 10, [0])).toBe(10)
  })

  it('keeps one a minute of an issue that has calmed down', () => {
    const guard = createSpikeProtection()
    keptOf(guard, 10, [0])
    expect([30_000, 60_000, 90_000, 120_000].map((at) => guard.keeps(1, at, settings))).toEqual([
      false,
      true,
      false,
      true,
    ])
  })

  it('never keeps more in a window than the first ones, its samples, and one a minute', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20_000), { maxLength: 300 }), (passed) => {
        const guard = createSpikeProtection()
        let at = 0
        let kept = 0
        for (const passedMs of passed) {
          at += passedMs
          if (at >= hourMs) break
          if (guard.keeps(1, at, settings)) kept += 1
        }
        expect(kept).toBeLessThanOrEqual(10 + passed.length / 5 + at / 60_000)
      }),
    )
  })
})
