import { setImmediate as nextTick } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createCommitter } from '#server/store/ingest/committer.ts'
import type { Store } from '#server/store/store.ts'
import { onPostgres } from '#test/engine.ts'
import { makeEventRecord, openTestStore, testId, entryOf } from '#test/test-store.ts'

/** Two stores of one database, of which the other one writes rows of a project. */
async function openBeside(projectId: number) {
  const store = await openTestStore()
  const other = await store.openAgain()
  const end = (sql: 'COMMIT' | 'ROLLBACK') => other.connection.exec(sql)
  onTestFinished(() => (other.connection.isTransaction ? end('ROLLBACK') : undefined))
  await beginFor(other, projectId)
  return { store, end }
}

async function beginFor({ writeGate }: Store, projectId: number): Promise<void> {
  const wanted = { first: [projectId], others: [], isFirstOverdue: false, withDeltas: false }
  await writeGate.begin(
    () => true,
    () => ({ ...wanted, suffices: () => true }),
  )
}

const eventOf = (projectId: number, name: string) =>
  entryOf(makeEventRecord({ projectId, eventId: testId(name), groupHash: testId('one') }))

describe.skipIf(!onPostgres)('a batch of projects that another process writes', () => {
  it('waits without blocking the event loop, and includes all entries that arrive meanwhile', async () => {
    const { store, end } = await openBeside(1)
    const committer = createCommitter(store)
    const first = committer.commit(eventOf(1, 'first'))
    for (let turn = 0; turn < 20; turn += 1) await nextTick()
    const later = ['a', 'b', 'c'].map((name) => committer.commit(eventOf(1, name)))
    const numbers = () => store.connection.prepare('SELECT DISTINCT xmin::text AS n FROM events').all()
    expect(committer.waitingCount()).toBe(4)
    end('COMMIT')
    await Promise.all([first, ...later])
    // One transaction.
    expect(numbers()).toHaveLength(1)
    await committer.close()
  })

  it('does not delay the entries of other projects while it waits', async () => {
    const { store, end } = await openBeside(1)
    const committer = createCommitter(store)
    const waiting = committer.commit(eventOf(1, 'waiting'))
    await committer.commit(eventOf(2, 'next'))
    const projectIds = () => store.connection.prepare('SELECT project_id AS id FROM events ORDER BY 1').all()
    expect(projectIds()).toEqual([{ id: 2 }])
    end('COMMIT')
    await waiting
    expect(projectIds()).toEqual([{ id: 1 }, { id: 2 }])
    await committer.close()
  })

  it('begins again after reads and writes of the same connection', async () => {
    const { store, end } = await openBeside(1)
    const committer = createCommitter(store)
    const commit = committer.commit(eventOf(1, 'waiting'))
    const countEvents = store.connection.prepare('SELECT count(*) AS n FROM events')
    for (let at = 0; at < 3; at += 1) {
      await nextTick()
      expect(countEvents.get()).toEqual({ n: 0 })
      store.connection.exec('BEGIN')
      store.connection.exec("UPDATE projects SET name = 'changed'")
      store.connection.exec('COMMIT')
    }
    end('COMMIT')
    await commit
    expect(store.connection.prepare('SELECT count(*) AS n FROM events').get()).toEqual({ n: 1 })
    await committer.close()
  })
})
