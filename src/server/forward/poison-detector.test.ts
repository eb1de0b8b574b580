import { beforeEach, describe, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { PoisonDetector } from './poison-detector.ts'

const queued = [1, 2, 3].map((number) => ({ number, category: 'error' }))

let detector: PoisonDetector
beforeEach(() => {
  detector = new PoisonDetector()
})

const fail = (number: number, times: number) =>
  Array.from({ length: times }, () => detector.noteFailure(number))

describe('an upstream that fails', () => {
  it('is probed with the oldest envelope first, then with the envelopes of the fewest failures', () => {
    expect(detector.indexOfProbe(queued, 0.99)).toBe(0)
    fail(1, limits.forwardTriesOfOldest - 1)
    expect(detector.indexOfProbe(queued, 0.99)).toBe(0)
    fail(1, 1)
    expect([0, 0.49, 0.5, 0.99].map((random) => detector.indexOfProbe(queued, random))).toEqual([1, 1, 2, 2])
    fail(2, 1)
    expect(detector.indexOfProbe(queued, 0)).toBe(2)
  })

  it('discards no envelope while it accepts none', () => {
    expect(fail(1, 10_000)).not.toContain(true)
  })
})

describe('an envelope', () => {
  it('is discarded when it alone fails repeatedly', () => {
    detector.noteFailure(1)
    for (let round = 1; round < limits.forwardPoisonRounds; round += 1) {
      detector.noteAccepted(2)
      detector.noteAccepted(3)
      expect(fail(1, 5)).toEqual([false, false, false, false, false])
    }
    detector.noteAccepted(2)
    expect(detector.noteFailure(1)).toBe(true)
  })

  it('is discarded as early when the server restarts in between, and its recorded state is bounded', () => {
    for (let round = 0; round < limits.forwardPoisonRounds; round += 1) {
      expect(detector.noteFailure(1)).toBe(false)
      detector.noteAccepted(2)
      const before = detector
      detector = new PoisonDetector()
      detector.adopt(before.toState())
      expect(detector.toState()).toEqual(before.toState())
    }
    expect(detector.noteFailure(1)).toBe(true)
    for (let number = 1; number <= 3 * limits.forwardPoisonCandidates; number += 1)
      detector.noteFailure(number)
    expect(detector.toState()).toHaveLength(limits.forwardPoisonCandidates)
  })

  it('resets its failures once it is accepted', () => {
    for (let round = 0; round < 3 * limits.forwardPoisonRounds; round += 1) {
      expect(detector.noteFailure(1)).toBe(false)
      detector.noteAccepted(round % 2 === 0 ? 2 : 1)
    }
  })
})
