import { describe, expect, it } from 'vitest'
import { dayMs, hourMs } from '#time/time-steps.ts'
import { readRetentionClock } from './clock.ts'

const start = Date.UTC(2026, 10, 21)
const known = { trustedAt: start, doubtedMs: 0 }

describe('the clock of retention', () => {
  it('is trusted when it advances, stops, goes back, or was off for two weeks', () => {
    for (const now of [start + 30_000, start, start - 400 * dayMs, start + 14 * dayMs]) {
      expect(readRetentionClock(known, { now, elapsedMs: 0 })).toEqual({
        isTrusted: true,
        trustedAt: now,
        doubtedMs: 0,
      })
    }
  })

  it('is not trusted a year ahead, until it has stayed there for a day', () => {
    let state = known
    let now = start + 365 * dayMs
    for (let hour = 0; hour < 24; hour += 1) {
      const reading = readRetentionClock(state, { now, elapsedMs: hour === 0 ? 0 : hourMs })
      expect(reading.isTrusted).toBe(false)
      state = reading
      now += hourMs
    }
    expect(readRetentionClock(state, { now, elapsedMs: hourMs }).isTrusted).toBe(true)
  })

  it('restarts the period of distrust after the clock was right in between', () => {
    const ahead = start + 365 * dayMs
    const doubted = readRetentionClock({ ...known, doubtedMs: 23 * hourMs }, { now: ahead, elapsedMs: 0 })
    expect(doubted.isTrusted).toBe(false)
    const right = readRetentionClock(doubted, { now: start + hourMs, elapsedMs: hourMs })
    expect(right.isTrusted).toBe(true)
    expect(readRetentionClock(right, { now: ahead, elapsedMs: 2 * hourMs }).isTrusted).toBe(false)
  })

  it('advances by the elapsed time while it is not trusted', () => {
    const ahead = start + 365 * dayMs
    const doubted = readRetentionClock(known, { now: ahead, elapsedMs: 5 * hourMs })
    expect(doubted).toEqual({ isTrusted: false, trustedAt: start + 5 * hourMs, doubtedMs: 5 * hourMs })
  })
})
