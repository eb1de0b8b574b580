import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { endOfTurn, oldestTurnWaitMs } from './turn-end.ts'

/** Lets so many requests wait for the end of this turn, and notes which go on. */
function waitWith(count: number, committing: number): number[] {
  const wentOn: number[] = []
  for (let number = 0; number < count; number += 1)
    void endOfTurn({ waitingCount: () => committing }).then(() => wentOn.push(number))
  return wentOn
}

const numbersTo = (count: number) => Array.from({ length: count }, (_, number) => number)

describe('the end of a turn', () => {
  it('comes for half of many requests, in their order, and for the others in the turns after it', async () => {
    const wentOn = waitWith(40, 0)
    await Promise.resolve()
    expect(wentOn).toEqual([])
    await nextTurn()
    expect(wentOn).toEqual(numbersTo(20))
    await nextTurn()
    expect(wentOn).toEqual(numbersTo(30))
    for (let turn = 0; turn < 4; turn += 1) await nextTurn()
    expect(wentOn).toEqual(numbersTo(40))
  })

  it('tells how long the oldest request has waited for it', async () => {
    waitWith(40, 0)
    const end = performance.now() + 20
    while (performance.now() < end);
    expect(oldestTurnWaitMs()).toBeGreaterThanOrEqual(20)
    await nextTurn()
    expect(oldestTurnWaitMs()).toBeGreaterThanOrEqual(20)
    for (let turn = 0; turn < 5; turn += 1) await nextTurn()
    expect(oldestTurnWaitMs()).toBe(0)
  })

  it('comes for all where as many are being committed', async () => {
    const wentOn = waitWith(32, 32)
    await nextTurn()
    expect(wentOn).toEqual(numbersTo(32))
  })

  it('comes for a few at once', async () => {
    const wentOn = waitWith(limits.workedOnTogether, 0)
    await nextTurn()
    expect(wentOn).toHaveLength(limits.workedOnTogether)
  })

  it('comes for those who wait later, too', async () => {
    const idle = { waitingCount: () => 0 }
    expect(oldestTurnWaitMs()).toBe(0)
    await Promise.all([endOfTurn(idle), endOfTurn(idle)])
    await expect(endOfTurn(idle)).resolves.toBeUndefined()
  })
})
