import { expect, it } from 'vitest'
import { SyncConnection } from '#server/store/engine/postgres/sync-connection.ts'
import { onPostgres } from '../../../../test/support/engine.ts'
import { makeEventRecord, openTestStore, testId, workOf } from '../../../../test/support/test-store.ts'
import { createCommitter } from './committer.ts'

it.skipIf(!onPostgres)('the search words of new issues cost a round trip in all, not one each', async () => {
  const { connection, ...store } = await openTestStore()
  const committer = createCommitter({ ...store, connection })
  const commitIssues = async (name: string, wordCount: number) => {
    const before = connection instanceof SyncConnection ? connection.roundTripCount : 0
    await Promise.all(
      Array.from({ length: 10 }, async (_, at) => {
        const traits = Array.from({ length: wordCount }, (__, word) => `url\t/${name}/${at}/${word}`)
        const eventId = testId(`${name} ${at}`)
        await committer.commit(
          workOf(makeEventRecord({ eventId, groupHash: eventId, traits: traits.join('\n') })),
        )
      }),
    )
    return connection instanceof SyncConnection ? connection.roundTripCount - before : 0
  }
  await commitIssues('first', 1)
  const few = await commitIssues('few', 1)
  const many = await commitIssues('many', 10)
  // 90 words more. A batch more, or a fold between them, takes a few round trips.
  expect(many).toBeLessThan(few + 10)
  const rows = connection.prepare('SELECT count(*) AS n FROM issue_traits').all()
  expect(rows[0]?.['n']).toBe(10 + 10 + 100)
})
