import { describe, expect, it } from 'vitest'
import { dayMs } from '#time/time-steps.ts'
import { limits } from './limits.ts'
import { createReadiness } from './readiness.ts'

function setUp() {
  const state = {
    now: 1_000_000,
    isWritable: true,
    isSpaceLow: false,
    problem: undefined as 'CORRUPT' | undefined,
    probeCount: 0,
    logged: 0,
  }
  const readiness = createReadiness({
    clock: () => state.now,
    condition: { isSpaceLow: () => state.isSpaceLow, findProblem: () => state.problem },
    log: { error: () => void state.logged++ },
    async probeStore() {
      state.probeCount++
      if (!state.isWritable) throw new Error('disk I/O error')
    },
  })
  return { state, readiness }
}

describe('readiness', () => {
  it('fails while the store cannot be written and recovers with it', async () => {
    const { state, readiness } = setUp()
    expect(await readiness.findProblems()).toEqual([])
    state.isWritable = false
    state.now += limits.readinessMaxAgeMs
    expect(await readiness.findProblems()).toEqual(['store_not_writable'])
    expect(state.logged).toBe(1)
    state.isWritable = true
    state.now += limits.readinessMaxAgeMs
    expect(await readiness.findProblems()).toEqual([])
  })

  it('writes once for many simultaneous requests, even after the clock was set back', async () => {
    const { state, readiness } = setUp()
    await Promise.all(Array.from({ length: 50 }, () => readiness.findProblems()))
    expect(state.probeCount).toBe(1)
    state.now -= dayMs
    await readiness.findProblems()
    expect(state.probeCount).toBe(2)
  })

  it('fails while the disk is almost full, without writing to it', async () => {
    const { state, readiness } = setUp()
    state.isSpaceLow = true
    expect(await readiness.findProblems()).toEqual(['disk_almost_full'])
    expect(state.probeCount).toBe(0)
  })

  it('fails after damage was detected, even when other pages can be written', async () => {
    const { state, readiness } = setUp()
    state.problem = 'CORRUPT'
    expect(await readiness.findProblems()).toEqual(['store_damaged'])
  })

  it('does not wait forever for a write', async () => {
    const readiness = createReadiness({
      clock: () => 0,
      log: { error: () => undefined },
      condition: { isSpaceLow: () => false, findProblem: () => undefined },
      probeStore: () => new Promise(() => undefined),
    })
    expect(await readiness.findProblems()).toEqual(['store_not_writable'])
  })

  it('fails permanently once the process stops, and then does not use the store', async () => {
    const { state, readiness } = setUp()
    readiness.stop()
    expect([readiness.isStopping, await readiness.findProblems()]).toEqual([true, ['stopping']])
    expect(state.probeCount).toBe(0)
  })

  it('is monitored for a while after a request', async () => {
    const { state, readiness } = setUp()
    expect(readiness.isWatched()).toBe(false)
    await readiness.findProblems()
    expect(readiness.isWatched()).toBe(true)
    state.now += limits.readinessWatchedMs
    expect(readiness.isWatched()).toBe(false)
  })
})
