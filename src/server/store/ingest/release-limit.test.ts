import { expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { dayMs } from '#time/time-steps.ts'
import { createReleaseLimit } from './release-limit.ts'

const now = 20_000 * dayMs + 5

it('a project may create a number of releases per day, whatever other projects do', () => {
  const limit = createReleaseLimit()
  const admitted = Array.from({ length: limits.releasesPerDay + 3 }, (_, index) => {
    if (index % 7 === 0) limit.committed()
    return limit.admits(1, now)
  })
  expect(admitted.filter(Boolean)).toHaveLength(limits.releasesPerDay)
  expect(limit.admits(2, now)).toBe(true)
  expect(limit.admits(1, now + dayMs)).toBe(true)
})

it('releases of transactions that were rolled back do not count', () => {
  const limit = createReleaseLimit()
  for (let index = 0; index < limits.releasesPerDay; index += 1) {
    limit.admits(1, now)
    limit.rolledBack()
  }
  expect(limit.admits(1, now)).toBe(true)
})
