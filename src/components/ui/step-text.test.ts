import { describe, expect, it } from 'vitest'
import { stepName, stepText } from './step-text.ts'

const hourMs = 3_600_000
const at = Date.UTC(2026, 10, 21, 18)

describe('a step of time', () => {
  it.each([
    [hourMs, 'an hour', '2026-11-21 18:00 UTC'],
    [6 * hourMs, 'in 6 hours', '2026-11-21 18:00 UTC'],
    [24 * hourMs, 'a day', '2026-11-21 UTC'],
  ])('of %d ms is named', (stepMs, name, text) => {
    expect(stepName(stepMs)).toBe(name)
    expect(stepText(at, stepMs)).toBe(text)
  })
})
