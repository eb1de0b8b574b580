import { describe, expect, it } from 'vitest'
import type { Store } from '#server/store/store.ts'
import { makeEventRecord, openTestStore, testId, testNow, entryOf } from '#test/test-store.ts'
import { createRandom } from '../../../../bench/support/random.ts'
import { createCommitter } from './committer.ts'
import type { EventRecord } from './records.ts'

const eventOf = (name: string, fields: Partial<EventRecord> = {}) =>
  makeEventRecord({ eventId: testId(name), ...fields })

async function openCommitter(clock = () => testNow) {
  const store = await openTestStore({ clock })
  const list = (sql: string) => store.connection.prepare(sql).all()
  return { store, committer: createCommitter(store), list }
}

const issueOfHash = 'UPDATE issue_hashes SET issue_id = 7'
const write = ({ connection }: Pick<Store, 'connection'>, sql: string) => {
  connection.exec('BEGIN IMMEDIATE')
  connection.exec(sql)
  connection.exec('COMMIT')
}

const issuesOfEvents = 'SELECT issue_id FROM events ORDER BY received_at DESC'

describe('the cache of batches', () => {
  it('is cleared when another connection writes', async () => {
    const { store, committer, list } = await openCommitter()
    await committer.commit(entryOf(eventOf('a')))
    await committer.commit(entryOf(eventOf('b')))
    const other = await store.openAgain()
    write(other, issueOfHash)
    await committer.commit(entryOf(eventOf('c', { receivedAt: testNow + 1 })))
    expect(list(issuesOfEvents)[0]).toEqual({ issue_id: 7 })
  })

  it('is cleared when another writer uses the same connection', async () => {
    const { store, committer, list } = await openCommitter()
    await committer.commit(entryOf(eventOf('a')))
    await committer.commit(entryOf(eventOf('b')))
    write(store, issueOfHash)
    await committer.commit(entryOf(eventOf('c', { receivedAt: testNow + 1 })))
    expect(list(issuesOfEvents)[0]).toEqual({ issue_id: 7 })
  })

  it('has the issue of an earlier hash, until another connection writes', async () => {
    const { store, committer, list } = await openCommitter()
    const newer = (name: string, receivedAt: number) =>
      entryOf(eventOf(name, { groupHash: testId('new'), earlierGroupHash: testId('old'), receivedAt }))
    await committer.commit(entryOf(eventOf('a', { groupHash: testId('old') })))
    await committer.commit(newer('b', testNow + 1))
    await committer.commit(newer('c', testNow + 2))
    expect(new Set(list(issuesOfEvents).map(({ issue_id }) => issue_id)).size).toBe(1)
    write(await store.openAgain(), issueOfHash)
    await committer.commit(newer('d', testNow + 3))
    expect(list(issuesOfEvents)[0]).toEqual({ issue_id: 7 })
  })

  it('is cleared when a batch could not be written', async () => {
    const { committer, list } = await openCommitter()
    await committer.commit(entryOf(eventOf('a')))
    const environment = 'staging'
    // A record that no parser produces: simulates a bug of our own code.
    const poisoned = eventOf('b', { environment, level: null as unknown as 'error' })
    await Promise.all([
      committer.commit(entryOf(eventOf('c', { environment }))),
      committer.commit(entryOf(poisoned)),
    ])
    await committer.commit(entryOf(eventOf('d', { environment })))
    expect(list('SELECT environment FROM issue_environments ORDER BY 1')).toEqual([
      { environment: 'production' },
      { environment },
    ])
  })

  it('has the same effect as reading every row again before each batch', async () => {
    // Slow enough that every event is counted with its commit, and none by a timer.
    let now = testNow
    const caching = await openCommitter(() => now)
    const reading = await openCommitter(() => now)
    const sharing = await openCommitter(() => now)
    const random = createRandom(3)
    const number = (below: number) => Math.floor(random() * below)
    for (let at = 0; at < 150; at += 1) {
      now += 1_000
      const release = number(3) === 0 ? {} : { release: `web@1.${number(3)}.0` }
      const event = eventOf(`e${at}`, {
        ...release,
        groupHash: testId(`issue ${number(3)}`),
        title: `Title ${number(2)}`,
        occurredAt: testNow - number(50),
        environment: `env-${number(3)}`,
      })
      await caching.committer.commit(entryOf(event))
      // Rewrites a row unchanged, to simulate another writer, and the ingest of another process.
      write(reading.store, 'UPDATE projects SET name = name')
      await reading.committer.commit(entryOf(event))
      sharing.store.connection.exec('UPDATE projects SET name = name')
      await sharing.committer.commit(entryOf(event))
    }
    for (const table of ['issues', 'issue_environments', 'release_environments', 'releases']) {
      const sql = `SELECT * FROM ${table} ORDER BY 1, 2, 3`
      expect(caching.list(sql).length).toBeGreaterThan(2)
      expect(caching.list(sql)).toEqual(reading.list(sql))
      expect(sharing.list(sql)).toEqual(reading.list(sql))
    }
  })
})
