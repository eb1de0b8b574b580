import { expect, it } from 'vitest'
import { personName } from './person-name.ts'

it('names the person, or says that the account is deleted', () => {
  expect(personName({ userId: 'u1', name: 'Ada' })).toBe('Ada')
  expect(personName({ userId: 'u1' })).toBe('Deleted account')
})
