import { expect, it } from 'vitest'
import { findWay, type NotificationPreference } from './preference.ts'

const wayOf = (preferences: NotificationPreference[], projectId = 1) =>
  findWay(preferences, { projectId, transition: 'new', hasMail: true })

it('an exception for a kind in a project counts before the choices of the project and of the kind', () => {
  const ofKind: NotificationPreference = { projectId: 0, transition: 'new', way: 'none' }
  const ofProject: NotificationPreference = { projectId: 1, transition: 'any', way: 'inbox' }
  const exception: NotificationPreference = { projectId: 1, transition: 'new', way: 'digest' }
  expect(wayOf([ofKind, ofProject])).toBe('none')
  expect(wayOf([ofKind, ofProject, exception])).toBe('digest')
  expect(wayOf([ofKind, ofProject, exception], 2)).toBe('none')
  expect(wayOf([ofKind, ofProject, { ...exception, transition: 'comment' }])).toBe('none')
  expect(wayOf([{ ...exception, way: 'none' }])).toBe('none')
})
