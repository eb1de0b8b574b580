import { expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { recordRelease } from '#server/store/releases/changes.ts'
import { createReadRounds } from '#test/read-rounds.ts'
import { openTestStore, testNow, testViewer } from '#test/test-store.ts'
import { findReleaseView } from './releases.ts'

async function openRelease() {
  const rounds = createReadRounds()
  const store = await openTestStore({ readPlugins: [rounds.plugin] })
  await recordRelease(store, { version: 'web@2', projectIds: [1] }, {})
  const read = () => findReleaseView({ store, clock: () => testNow }, testViewer, { version: 'web@2' })
  return { store, rounds, read }
}

it('a release lists only the uploads with its name, latest first', async () => {
  const { store, read } = await openRelease()
  const upload = (id: number, release: string, isComplete = 1) =>
    store.connection
      .prepare(`INSERT INTO artifact_bundles VALUES (1, ?, ?, ?, 'arm', ?, ?, ?, 3, 70)`)
      .run(id, Buffer.alloc(20, id), release, id, id === 2 ? 9 : id, isComplete)
  upload(1, 'web@2')
  upload(2, 'web@2')
  upload(3, 'web@1')
  upload(4, 'web@2', 0)
  expect(await read()).toMatchObject({
    artifactCount: 6,
    uploads: [
      { id: '2', dist: 'arm', uploadedAt: 2, usedAt: 9, fileCount: 3, storedBytes: 70 },
      { id: '1', dist: 'arm', uploadedAt: 1, fileCount: 3, storedBytes: 70 },
    ],
  })
})

it('a release has its commits, the latest first, each with its first line', async () => {
  const { store, read } = await openRelease()
  const commits = Array.from({ length: limits.releaseCommitsShown + 1 }, (_, index) => ({
    id: `c${index}`,
    message: `Change ${index}\n\nBecause.`,
    ...(index === 0 && { authorName: 'Ada', committedAt: testNow }),
  }))
  await recordRelease(store, { version: 'web@2', projectIds: [1] }, { commits })
  const view = await read()
  expect(view?.commitCount).toBe(commits.length)
  expect(view?.commits).toHaveLength(limits.releaseCommitsShown)
  expect(view?.commits.slice(0, 2)).toEqual([
    { id: 'c0', subject: 'Change 0', authorName: 'Ada', committedAt: testNow },
    { id: 'c1', subject: 'Change 1' },
  ])
})

it('a release with an earlier one is read in three rounds of statements', async () => {
  const { store, rounds, read } = await openRelease()
  await recordRelease(store, { version: 'web@1', projectIds: [1] }, {})
  expect((await rounds.count(read)).roundCount).toBe(3)
})
