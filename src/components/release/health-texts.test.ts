import { describe, expect, it } from 'vitest'
import { rateFloor, toStepRates } from './health-texts.ts'

const counts = { healthy: 7, errored: 1, unhandled: 0, abnormal: 0, crashed: 2 }

describe('the rates of a step', () => {
  it('are shares of its sessions, of its users and of the project’s sessions', () => {
    expect(toStepRates({ counts, userCount: 4, crashedUserCount: 1, projectSessionCount: 40 })).toEqual({
      crashFreeSessions: 80,
      crashFreeUsers: 75,
      adoption: 25,
    })
  })

  it('are empty when nothing was counted', () => {
    const none = { healthy: 0, errored: 0, unhandled: 0, abnormal: 0, crashed: 0 }
    expect(toStepRates({ counts: none, userCount: 0, crashedUserCount: 0, projectSessionCount: 0 })).toEqual(
      {},
    )
  })
})

describe('the axis of rates', () => {
  it.each([
    [[100, undefined, 100], 99],
    [[99.95, 100], 99.9],
    [[99.9, 100], 99],
    [[92], 90],
    [[12, 100], 0],
    [[0], 0],
    [[], 99],
  ])('of %j begins at %d', (rates, floor) => {
    expect(rateFloor(rates)).toBe(floor)
  })
})
