import { describe, expect, it } from 'vitest'
import { countPerStep, dayMs, dayOf, firstOf24Hours, hourMs, hourOf, stepsUntil } from './time-steps.ts'

const now = Date.UTC(2026, 2, 1, 14, 30)

describe('steps of time', () => {
  it('start at full hours and days of UTC', () => {
    expect(hourOf(now)).toBe(Date.UTC(2026, 2, 1, 14))
    expect(dayOf(now)).toBe(Date.UTC(2026, 2, 1))
    expect(firstOf24Hours(now)).toBe(Date.UTC(2026, 1, 28, 15))
  })

  it('end with the current step', () => {
    expect(stepsUntil(now, { stepMs: 6 * hourMs, stepCount: 4 })).toEqual({
      since: Date.UTC(2026, 1, 28, 18),
      stepMs: 6 * hourMs,
      stepCount: 4,
    })
    expect(stepsUntil(now, { stepMs: dayMs, stepCount: 1 }).since).toBe(dayOf(now))
  })

  it('sum counts, drop earlier ones and add later ones to the last step', () => {
    const steps = stepsUntil(now, { stepMs: hourMs, stepCount: 3 })
    const counted = [
      [steps.since - 1, 100],
      [steps.since, 1],
      [steps.since + hourMs - 1, 2],
      [now, 4],
      [now + hourMs, 8],
    ] as const
    expect(countPerStep(counted, steps)).toEqual([3, 0, 12])
  })
})
