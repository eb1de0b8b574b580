import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { createSignInThrottle } from './sign-in-throttle.ts'

function fakeClock() {
  let now = 1_000_000
  return { clock: () => now, advance: (ms: number) => (now += ms) }
}

describe('createSignInThrottle', () => {
  it('lets the first failures pass and doubles the wait from then on', () => {
    const { clock, advance } = fakeClock()
    const throttle = createSignInThrottle(clock)
    for (let count = 0; count < limits.signInFreeFailures; count += 1) throttle.recordFailure(['a@b.c'])
    expect(throttle.waitMs(['a@b.c'])).toBe(0)
    throttle.recordFailure(['a@b.c'])
    expect(throttle.waitMs(['a@b.c'])).toBe(1_000)
    throttle.recordFailure(['a@b.c'])
    expect(throttle.waitMs(['a@b.c'])).toBe(2_000)
    advance(1_500)
    expect(throttle.waitMs(['a@b.c'])).toBe(500)
  })

  it('asks for the longest wait of the names given, and leaves other names alone', () => {
    const throttle = createSignInThrottle(fakeClock().clock)
    for (let count = 0; count <= limits.signInFreeFailuresPerAddress; count += 1)
      throttle.recordFailure(['192.0.2.1'])
    expect(throttle.waitMs(['a@b.c', '192.0.2.1'])).toBeGreaterThan(0)
    expect(throttle.waitMs(['a@b.c', '192.0.2.2'])).toBe(0)
  })

  it('forgets a name that has signed in, and any name after a while', () => {
    const { clock, advance } = fakeClock()
    const throttle = createSignInThrottle(clock)
    for (let count = 0; count < 20; count += 1) throttle.recordFailure(['a@b.c', 'd@e.f'])
    throttle.recordSuccess('a@b.c')
    expect(throttle.waitMs(['a@b.c'])).toBe(0)
    advance(3 * limits.signInWaitMs)
    throttle.recordFailure(['d@e.f'])
    expect(throttle.waitMs(['d@e.f'])).toBe(0)
  })

  it('never waits longer than the limit, whatever the clock does', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1e9, max: 1e9 }), { maxLength: 60 }), (steps) => {
        const { clock, advance } = fakeClock()
        const throttle = createSignInThrottle(clock)
        for (const step of steps) {
          advance(step)
          throttle.recordFailure(['a@b.c'])
        }
        const wait = throttle.waitMs(['a@b.c'])
        expect(wait).toBeGreaterThanOrEqual(0)
        expect(wait).toBeLessThanOrEqual(limits.signInWaitMs)
      }),
    )
  })

  it('remembers a bounded number of names', () => {
    const throttle = createSignInThrottle(fakeClock().clock)
    for (let count = 0; count < 10; count += 1) throttle.recordFailure(['first'])
    for (let count = 0; count < limits.signInNames; count += 1) throttle.recordFailure([`name-${count}`])
    expect(throttle.waitMs(['first'])).toBe(0)
  })
})
