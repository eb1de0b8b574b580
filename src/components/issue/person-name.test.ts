import { expect, it } from 'vitest'
import { personName } from './person-name.ts'

it('returns the name of a person, or "Deleted account"', () => {
  expect(personName({ userId: 'u1', name: 'Ada' })).toBe('Ada')
  expect(personName({ userId: 'u1' })).toBe('Deleted account')
})
