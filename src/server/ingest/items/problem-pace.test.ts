import { expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { minuteMs } from '#time/time-steps.ts'
import { ProblemPace } from './problem-pace.ts'

it('each problem of a project becomes one event a minute, which may be processed again', () => {
  const pace = new ProblemPace()
  const take = (eventId: string, at: number, projectId = 1) =>
    pace.take({ projectId, fingerprint: 'slow', eventId, at })
  expect(take('first', 0)).toBe(true)
  expect(take('second', 1)).toBe(false)
  expect(take('first', 2)).toBe(true)
  expect(take('other project', 3, 2)).toBe(true)
  expect(take('second', minuteMs)).toBe(true)
})

it('a project has a number of different problems a minute', () => {
  const pace = new ProblemPace()
  const taken = Array.from({ length: limits.problemsPerMinute + 5 }, (_, index) =>
    pace.take({ projectId: 1, fingerprint: `${index}`, eventId: `${index}`, at: 0 }),
  )
  expect(taken.filter(Boolean)).toHaveLength(limits.problemsPerMinute)
})
