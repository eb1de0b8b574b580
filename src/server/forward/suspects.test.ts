import { beforeEach, describe, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { Suspects } from './suspects.ts'

const queued = [1, 2, 3].map((number) => ({ number, lane: 'error' }))

let suspects: Suspects
beforeEach(() => {
  suspects = new Suspects()
})

const fail = (number: number, times: number) =>
  Array.from({ length: times }, () => suspects.noteFailure(number))

describe('an upstream that fails', () => {
  it('is asked with the oldest for a while, then with any of those on which it failed least', () => {
    expect(suspects.placeOfProbe(queued, 0.99)).toBe(0)
    fail(1, limits.forwardTriesOfOldest - 1)
    expect(suspects.placeOfProbe(queued, 0.99)).toBe(0)
    fail(1, 1)
    expect([0, 0.49, 0.5, 0.99].map((random) => suspects.placeOfProbe(queued, random))).toEqual([1, 1, 2, 2])
    fail(2, 1)
    expect(suspects.placeOfProbe(queued, 0)).toBe(2)
  })

  it('gives up nothing for as long as it takes nothing', () => {
    expect(fail(1, 10_000)).not.toContain(true)
  })
})

describe('an envelope', () => {
  it('is given up when it alone fails, time after time', () => {
    suspects.noteFailure(1)
    for (let round = 1; round < limits.forwardSuspectRounds; round += 1) {
      suspects.noteTaken(2)
      suspects.noteTaken(3)
      expect(fail(1, 5)).toEqual([false, false, false, false, false])
    }
    suspects.noteTaken(2)
    expect(suspects.noteFailure(1)).toBe(true)
  })

  it('is given up as soon when the server is restarted in between, and what is known of it is bounded', () => {
    for (let round = 0; round < limits.forwardSuspectRounds; round += 1) {
      expect(suspects.noteFailure(1)).toBe(false)
      suspects.noteTaken(2)
      const before = suspects
      suspects = new Suspects()
      suspects.adopt(before.toState())
      expect(suspects.toState()).toEqual(before.toState())
    }
    expect(suspects.noteFailure(1)).toBe(true)
    for (let number = 1; number <= 3 * limits.forwardSuspects; number += 1) suspects.noteFailure(number)
    expect(suspects.toState()).toHaveLength(limits.forwardSuspects)
  })

  it('begins anew once it was taken', () => {
    for (let round = 0; round < 3 * limits.forwardSuspectRounds; round += 1) {
      expect(suspects.noteFailure(1)).toBe(false)
      suspects.noteTaken(round % 2 === 0 ? 2 : 1)
    }
  })
})
