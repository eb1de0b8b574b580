import { setImmediate as nextTick } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { TickQueue } from './tick-queue.ts'

/** Adds requests to a queue, and records which are released. */
function waitWith(count: number, committing: number) {
  const queue = new TickQueue({ waitingCount: () => committing })
  const released: number[] = []
  for (let number = 0; number < count; number += 1) void queue.endOfTick().then(() => released.push(number))
  return { queue, released }
}

const numbersTo = (count: number) => Array.from({ length: count }, (_, number) => number)

describe('the queue of a tick', () => {
  it('releases half of many requests in order, and the others in the next ticks', async () => {
    const { released } = waitWith(40, 0)
    await Promise.resolve()
    expect(released).toEqual([])
    await nextTick()
    expect(released).toEqual(numbersTo(20))
    await nextTick()
    expect(released).toEqual(numbersTo(30))
    for (let tick = 0; tick < 4; tick += 1) await nextTick()
    expect(released).toEqual(numbersTo(40))
  })

  it('measures how long the oldest request has waited', async () => {
    const { queue } = waitWith(40, 0)
    const end = performance.now() + 20
    while (performance.now() < end);
    expect(queue.oldestWaitMs()).toBeGreaterThanOrEqual(20)
    await nextTick()
    expect(queue.oldestWaitMs()).toBeGreaterThanOrEqual(20)
    for (let tick = 0; tick < 5; tick += 1) await nextTick()
    expect(queue.oldestWaitMs()).toBe(0)
  })

  it('releases all requests when as many commits are pending', async () => {
    const { released } = waitWith(32, 32)
    await nextTick()
    expect(released).toEqual(numbersTo(32))
  })

  it('releases a few requests together', async () => {
    const { released } = waitWith(limits.workedOnTogether, 0)
    await nextTick()
    expect(released).toHaveLength(limits.workedOnTogether)
  })

  it('releases requests of later ticks', async () => {
    const queue = new TickQueue({ waitingCount: () => 0 })
    expect(queue.oldestWaitMs()).toBe(0)
    await Promise.all([queue.endOfTick(), queue.endOfTick()])
    await expect(queue.endOfTick()).resolves.toBeUndefined()
  })
})
