import { describe, expect, it } from 'vitest'
import { dayMs, hourMs } from '#time/time-steps.ts'
import { stepName, stepText } from './step-text.ts'

const at = Date.UTC(2026, 10, 21, 18)
const midnight = Date.UTC(2026, 10, 21)

describe('a step of time', () => {
  it.each([
    [hourMs, 'an hour', '2026-11-21 18:00 UTC'],
    [6 * hourMs, 'in 6 hours', '2026-11-21 18:00 UTC'],
  ])('of %d ms is named', (stepMs, name, text) => {
    expect(stepName(stepMs)).toBe(name)
    expect(stepText(at, stepMs, 'UTC')).toBe(text)
  })

  it('of a day includes the hour when it does not start at midnight in the time zone', () => {
    expect(stepName(dayMs)).toBe('a day')
    expect(stepText(midnight, dayMs, 'UTC')).toBe('2026-11-21 UTC')
    expect(stepText(midnight, dayMs, 'Europe/Berlin')).toBe('2026-11-21 01:00 UTC+1')
  })
})
