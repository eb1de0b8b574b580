import { expect, it } from 'vitest'
import { toIdBytes } from '#server/store/binary-id.ts'
import { SyncConnection } from '#server/store/engine/postgres/sync-connection.ts'
import { onPostgres } from '#test/engine.ts'
import { makeEventRecord, openTestStore, testId, entryOf } from '#test/test-store.ts'
import { createCommitter } from './committer.ts'

it.skipIf(!onPostgres)('the search words of all new issues need one round trip in total', async () => {
  const { connection, ...store } = await openTestStore()
  const committer = createCommitter({ ...store, connection })
  const commitIssues = async (name: string, wordCount: number) => {
    const before = connection instanceof SyncConnection ? connection.roundTripCount : 0
    await Promise.all(
      Array.from({ length: 10 }, async (_, at) => {
        const traits = Array.from({ length: wordCount }, (__, word) => `url\t/${name}/${at}/${word}`)
        const eventId = testId(`${name} ${at}`)
        await committer.commit(
          entryOf(makeEventRecord({ eventId, groupHash: eventId, traits: traits.join('\n') })),
        )
      }),
    )
    return connection instanceof SyncConnection ? connection.roundTripCount - before : 0
  }
  await commitIssues('first', 1)
  const few = await commitIssues('few', 1)
  const many = await commitIssues('many', 10)
  // 90 words more. Another batch, or a fold in between, takes a few round trips.
  expect(many).toBeLessThan(few + 10)
  const rows = connection.prepare('SELECT count(*) AS n FROM issue_traits').all()
  expect(rows[0]?.['n']).toBe(10 + 10 + 100)
})

it.skipIf(!onPostgres)('reads announced before a batch begins are in its first round trip', async () => {
  const { connection, engine, writeGate } = await openTestStore()
  const findEvent = engine.prepareRead('SELECT 1 FROM events WHERE project_id = ? AND event_id = ?')
  const roundTrips = () => (connection instanceof SyncConnection ? connection.roundTripCount : 0)
  const wanted = { first: [1], others: [], isFirstOverdue: false, withDeltas: false, suffices: () => true }
  const key = [1, toIdBytes(testId('an event'))] as const
  const before = roundTrips()
  await writeGate.begin(
    () => true,
    () => ({ ...wanted, expectReads: () => findEvent.expect?.(...key) }),
  )
  expect(writeGate.locked?.projectIds).toEqual(new Set([1]))
  expect(findEvent.get(...key)).toBeUndefined()
  expect(roundTrips() - before).toBe(1)
  connection.exec('ROLLBACK')
})
