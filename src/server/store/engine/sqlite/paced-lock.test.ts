import { describe, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { createPacedLock, ReadTimeoutError } from './paced-lock.ts'

/** A clock and ticks that the test advances. */
function createTestPace() {
  let now = 0
  let ticks: (() => void)[] = []
  return {
    pace: { now: () => now, nextTick: (resume: () => void) => void ticks.push(resume) },
    pass: (ms: number) => {
      now += ms
    },
    tick: async () => {
      const due = ticks
      ticks = []
      for (const resume of due) resume()
      await Promise.resolve()
      await Promise.resolve()
    },
  }
}

describe('a paced lock', () => {
  it('is held by one at a time, in the order of the calls', async () => {
    const { pace } = createTestPace()
    const lock = createPacedLock(pace)
    const order: string[] = []
    const hold = async (name: string) => {
      await lock.acquire()
      order.push(`${name} begins`)
      await Promise.resolve()
      order.push(`${name} ends`)
      lock.release()
    }
    await Promise.all([hold('a'), hold('b'), hold('c')])
    expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
  })

  it('yields to the event loop once a tick is used up', async () => {
    const { pace, pass, tick } = createTestPace()
    const lock = createPacedLock(pace)
    const done: number[] = []
    const hold = async (index: number) => {
      await lock.acquire()
      pass(limits.readTickMs / 2)
      done.push(index)
      lock.release()
    }
    const all = Promise.all([0, 1, 2, 3, 4].map(hold))
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
    expect(done).toEqual([0, 1])
    await tick()
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
    expect(done).toEqual([0, 1, 2, 3])
    await tick()
    await all
    expect(done).toEqual([0, 1, 2, 3, 4])
    // The earlier use is reset.
    await tick()
    await hold(5)
    expect(done).toHaveLength(6)
  })

  it('rejects calls that waited too long, and serves the others', async () => {
    const { pace, pass, tick } = createTestPace()
    const lock = createPacedLock(pace)
    await lock.acquire()
    const late = lock.acquire().catch((error: unknown) => error)
    pass(limits.readWaitMs + 1)
    const inTime = lock.acquire()
    lock.release()
    await tick()
    expect(await late).toBeInstanceOf(ReadTimeoutError)
    await inTime
    lock.release()
  })
})
