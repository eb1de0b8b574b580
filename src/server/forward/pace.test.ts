import { describe, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { Pace } from './pace.ts'
import type { Verdict } from './verdict.ts'

const wallMs = Date.UTC(2026, 10, 21, 12)
const failure: Verdict = { result: 'retry', isFailure: true, waitSeconds: 0, rateLimits: [], answer: '503' }
const success: Verdict = {
  result: 'delivered',
  isFailure: false,
  waitSeconds: 0,
  rateLimits: [],
  answer: '200',
}
const holding = (category: string, seconds: number): Verdict => ({
  ...success,
  result: 'retry',
  rateLimits: [{ category, seconds }],
})
const at = (nowMs: number, random = 0.999_999) => ({ sentAtMs: nowMs, nowMs, random, canWait: true })

describe('the pace of an upstream', () => {
  it('sends several at once, and one as a probe after a failure', () => {
    const pace = new Pace()
    expect(pace.allowance(0)).toBe(limits.forwardConcurrency)
    pace.note(failure, at(1))
    expect(pace.allowance(2)).toBe(0)
    expect(pace.allowance(1_001)).toBe(1)
    pace.note(success, at(1_001))
    expect(pace.allowance(1_001)).toBe(limits.forwardConcurrency)
  })

  it('delays a single envelope while the upstream accepts others', () => {
    const pace = new Pace()
    pace.note(success, at(1))
    for (let round = 1; round <= 50; round += 1) {
      expect(pace.note(failure, at(10 * round))).toBe(true)
      pace.note(success, at(10 * round + 1))
    }
    expect(pace.failureCount).toBe(0)
    expect(pace.allowance(501)).toBe(limits.forwardConcurrency)
  })

  it.each<[string, Verdict, boolean, number]>([
    ['it says for how long', { ...failure, waitSeconds: 30 }, true, 2],
    ['no more envelopes can wait by themselves', failure, false, 2],
    ['it has accepted nothing for a while', failure, true, 1 + limits.forwardWellMs],
  ])('pauses completely after a failure when %s', (...row) => {
    const [, verdict, canWait, nowMs] = row
    const pace = new Pace()
    pace.note(success, at(1))
    expect(pace.note(verdict, { ...at(nowMs), canWait })).toBe(false)
    expect(pace.failureCount).toBe(1)
    expect(pace.allowance(nowMs)).toBe(0)
  })

  it('pauses completely after as many consecutive failures as it sends at once', () => {
    const pace = new Pace()
    pace.note(success, at(1))
    const isAlone = Array.from({ length: limits.forwardConcurrency }, (_, index) =>
      pace.note(failure, at(2 + index)),
    )
    expect(isAlone).toEqual([...Array.from({ length: limits.forwardConcurrency - 1 }, () => true), false])
    expect(pace.failureCount).toBe(1)
  })

  it('waits twice as long after each failure, up to a quarter of an hour, with full jitter', () => {
    const pace = new Pace()
    const waits: number[] = []
    let nowMs = 0
    for (let count = 0; count < 14; count += 1) {
      nowMs += 1
      pace.note(failure, at(nowMs))
      const nextAtMs = pace.findNextAtMs(nowMs) ?? nowMs
      waits.push(Math.round((nextAtMs - nowMs) / 1000))
      nowMs = nextAtMs
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900])
    pace.note(failure, at(nowMs + 1, 0))
    expect(pace.allowance(nowMs + 1)).toBe(1)
  })

  it('counts simultaneous failures once, and ignores the success of a request sent before the failure', () => {
    const pace = new Pace()
    for (let count = 0; count < 8; count += 1) pace.note(failure, { ...at(20 + count), sentAtMs: 10 })
    expect(pace.failureCount).toBe(1)
    pace.note(success, { ...at(40), sentAtMs: 10 })
    expect(pace.failureCount).toBe(1)
  })

  it('pauses the rate-limited categories only', () => {
    const pace = new Pace()
    pace.note(holding('error', 60), at(0))
    expect(pace.listOpenCategories(1)).not.toContain('error')
    expect(pace.listOpenCategories(1)).toContain('transaction')
    expect(pace.listRateLimits(1_000)).toEqual([
      { retryAfterSeconds: 59, category: 'error', scope: 'organization', reason: 'upstream' },
    ])
    pace.note(holding('all', 5), at(0))
    expect(pace.listOpenCategories(1)).toEqual([])
    expect(pace.listOpenCategories(60_000)).toContain('error')
    expect(pace.findNextAtMs(1)).toBe(5_000)
    expect(pace.allowance(60_000)).toBe(1)
  })

  it('resumes from the state of another process', () => {
    const before = new Pace()
    before.note(failure, at(1_000))
    before.note(holding('error', 60), at(1_000))
    const state = before.toState({ wallMs, monotonicMs: 1_000 })
    const after = new Pace()
    after.adopt(state, { wallMs: wallMs + 500, monotonicMs: 5_000_000 })
    expect(after.failureCount).toBe(1)
    expect(after.allowance(5_000_000)).toBe(0)
    expect(after.allowance(5_000_600)).toBe(1)
    expect(after.listOpenCategories(5_000_600)).not.toContain('error')
  })

  it.each([
    { failureCount: 1, retryAt: wallMs, held: [] },
    { failureCount: 0, held: [{ category: 'error', until: wallMs + 60_000 }] },
  ])('sends one probe after a restart from %j', (state) => {
    const pace = new Pace()
    pace.adopt(state, { wallMs, monotonicMs: 0 })
    expect(pace.allowance(0)).toBe(1)
  })

  it('waits no longer than the last answer asked for if the clock was set back before a restart', () => {
    const state = {
      failureCount: 1,
      answeredAt: wallMs,
      retryAt: wallMs + 5_000,
      held: [{ category: 'error', until: wallMs + 60_000 }],
    }
    const pace = new Pace()
    pace.adopt(state, { wallMs: wallMs - 36_000_000, monotonicMs: 0 })
    expect([pace.allowance(4_999), pace.allowance(5_000)]).toEqual([0, 1])
    expect(pace.listOpenCategories(59_999)).not.toContain('error')
    expect(pace.listOpenCategories(60_000)).toContain('error')
  })

  it('does not wait forever after the clock was changed', () => {
    const pace = new Pace()
    pace.adopt(
      { failureCount: 1, retryAt: wallMs + 1e12, held: [{ category: 'all', until: wallMs - 1e12 }] },
      { wallMs, monotonicMs: 0 },
    )
    expect(pace.allowance(limits.forwardRateLimitMaxSeconds * 1000)).toBe(1)
    expect(pace.listOpenCategories(1)).not.toEqual([])
  })
})
