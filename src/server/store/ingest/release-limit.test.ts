import { expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { dayMs } from '#time/time-steps.ts'
import { createReleaseLimit } from './release-limit.ts'

it('a project may create a number of releases per day, whatever other projects do', () => {
  const limit = createReleaseLimit()
  const now = 20_000 * dayMs + 5
  const admitted = Array.from({ length: limits.releasesPerDay + 3 }, () => limit.admits(1, now))
  expect(admitted.filter(Boolean)).toHaveLength(limits.releasesPerDay)
  expect(limit.admits(2, now)).toBe(true)
  expect(limit.admits(1, now + dayMs)).toBe(true)
})
