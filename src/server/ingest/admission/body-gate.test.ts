import { setImmediate as nextTick } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createBodyGate } from './body-gate.ts'

const bounds = { bodyBytes: 1_000, inflatesAtOnce: 2 }

describe('a body gate', () => {
  it('rejects bytes beyond the limit and accepts them after a release', () => {
    const gate = createBodyGate(bounds)
    const [large, small] = [gate.hold(), gate.hold()]
    expect(large.resize(bounds.bodyBytes)).toBe(true)
    expect(small.resize(1)).toBe(false)
    expect(large.resize(bounds.bodyBytes + 1)).toBe(false)
    expect(large.resize(bounds.bodyBytes - 1)).toBe(true)
    expect(small.resize(1)).toBe(true)
    large.release()
    large.release()
    expect(small.resize(bounds.bodyBytes)).toBe(true)
    expect(gate.hold().resize(1)).toBe(false)
  })

  it('runs a bounded number of jobs at once, in order, and continues after a failure', async () => {
    const gate = createBodyGate(bounds)
    const started: number[] = []
    let running = 0
    let most = 0
    const jobs = Array.from({ length: 10 }, (_, number) =>
      gate.inflate(async () => {
        started.push(number)
        most = Math.max(most, ++running)
        await nextTick()
        running--
        if (number === 3) throw new Error('broken data')
        return number
      }),
    )
    const results = await Promise.allSettled(jobs)
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(9)
    expect(started).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(most).toBe(bounds.inflatesAtOnce)
  })
})
