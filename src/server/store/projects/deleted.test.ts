import { expect, it } from 'vitest'
import { openTestStore } from '#test/test-store.ts'
import { listDeletedProjects, recordProjectDeletion } from './deleted.ts'

it('deletes a project once if two users delete it at the same time', async () => {
  const store = await openTestStore()
  await Promise.all([recordProjectDeletion(store, 1), recordProjectDeletion(store, 1)])
  expect((await listDeletedProjects(store.db)).map(({ projectId }) => projectId)).toEqual([1])
})
