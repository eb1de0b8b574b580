import { expect, it } from 'vitest'
import { findReleases } from '#server/store/releases/releases.ts'
import { makeEventRecord, openTestStore, testNow } from '#test/test-store.ts'
import { dayMs } from '#time/time-steps.ts'
import { recordImportedReleases } from './imported-releases.ts'

it('date a release that exists here by its start in the other tracker, if that is earlier', async () => {
  const store = await openTestStore()
  await store.commit(makeEventRecord({ release: 'web@1.4.0' }))
  const createdAt = testNow - 9 * dayMs
  const releases = [createdAt, testNow + dayMs].map((at) => ({ version: 'web@1.4.0', createdAt: at }))
  for (const release of releases) expect(await recordImportedReleases(store, 1, [release])).toBe(0)
  const [release] = await findReleases(store.db, { projectIds: [1], version: 'web@1.4.0' })
  expect(release).toMatchObject({ created_at: createdAt, first_seen_at: testNow })
})
