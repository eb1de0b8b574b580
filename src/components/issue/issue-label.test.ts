import { expect, it } from 'vitest'
import { issueLabel } from './issue-label.ts'

it('labels an issue by title and subtitle in one line of bounded length', () => {
  expect(issueLabel({ title: 'TypeError', subtitle: 'x is undefined' })).toBe('TypeError: x is undefined')
  expect(issueLabel({ title: 'Checkout took 9 s', subtitle: '' })).toBe('Checkout took 9 s')
  expect(issueLabel({ title: 'Error', subtitle: 'x'.repeat(1000) })).toHaveLength(161)
  expect(issueLabel({ title: '', subtitle: `${'x'.repeat(157)}💥` }).isWellFormed()).toBe(true)
})
