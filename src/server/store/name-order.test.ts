import { expect, it } from 'vitest'
import { sortByName } from './name-order.ts'

it('names with numbers are in natural order, and case matters only for equal names', () => {
  const names = ['job-10', 'Job-3', 'job-2', 'job-1', 'job', 'pr-9-a', 'pr-10-a', 'API', 'api']
  expect(sortByName(names, (name) => name)).toEqual([
    'api',
    'API',
    'job',
    'job-1',
    'job-2',
    'Job-3',
    'job-10',
    'pr-9-a',
    'pr-10-a',
  ])
})
