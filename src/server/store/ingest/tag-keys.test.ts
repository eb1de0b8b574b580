import { describe, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { SyncConnection } from '#server/store/engine/postgres/sync-connection.ts'
import { listTagDistributions } from '#server/store/issues/tags.ts'
import { onPostgres } from '#test/engine.ts'
import { findIssueId, mergeIssues, ofIssue, openKeptStore } from '#test/kept-store.ts'
import { makeEventRecord, openTestStore, testId, entryOf } from '#test/test-store.ts'
import type { TestStore } from '#test/test-store.ts'
import { createCommitter } from './committer.ts'
import type { EventRecord } from './records.ts'

const keysPerEvent = 50

/** An event with keys that no earlier event has. */
function hostileEvent(name: string, fields: Partial<EventRecord> = {}): EventRecord {
  const tags = Array.from({ length: keysPerEvent }, (_, at): [string, string] => [`${name}-${at}`, 'x'])
  return makeEventRecord({ eventId: testId(name), tags, ...fields })
}

function tagged(name: string, ...tags: [string, string][]): EventRecord {
  return makeEventRecord({ eventId: testId(name), tags })
}

const names = (count: number, of = 'event') => Array.from({ length: count }, (_, at) => `${of}${at}`)

function numberOf({ connection }: Pick<TestStore, 'connection'>, sql: string): number {
  return Number(Object.values(connection.prepare(sql).get() ?? {})[0] ?? 0)
}

const countKeys = (store: Pick<TestStore, 'connection'>) =>
  numberOf(store, 'SELECT count(DISTINCT key) FROM issue_tags')

async function openCommitter() {
  const store = await openTestStore()
  const committer = createCommitter(store)
  const commit = async (...events: EventRecord[]) => {
    await Promise.all(events.map((event) => committer.commit(entryOf(event))))
    await committer.drain()
  }
  return { store, commit }
}

describe('tag keys of an issue', () => {
  it.each([
    ['event by event', 1],
    ['under load, when events are counted later', 40],
  ])('are bounded however many are sent, %s', async (_, atOnce) => {
    const { store, commit } = await openCommitter()
    for (const group of names(3, 'group'))
      for (const name of names(Math.ceil(9 / atOnce)))
        await commit(...names(atOnce, `${group}-${name}-`).map((each) => hostileEvent(each)))
    expect(countKeys(store)).toBe(limits.tagKeysPerIssue)
    expect(numberOf(store, 'SELECT count(*) FROM issue_tags')).toBe(limits.tagKeysPerIssue)
    // The existing keys, and the environment of each event.
    const eventCount = numberOf(store, 'SELECT event_count FROM issues')
    expect(numberOf(store, `SELECT event_count FROM issue_tags WHERE key = 'environment'`)).toBe(eventCount)
  })

  it('are counted if they were there before the bound was reached', async () => {
    const { store, commit } = await openCommitter()
    await commit(tagged('first', ['color', 'red']))
    for (const name of names(5)) await commit(hostileEvent(name))
    await commit(tagged('again', ['color', 'red'], ['event4-0', 'y'], ['size', 'L']))
    await commit(tagged('last', ['color', 'blue'], ['size', 'L']))
    const distributions = await listTagDistributions(store.db, {
      projectId: 1,
      issueId: numberOf(store, 'SELECT id FROM issues'),
    })
    expect(distributions.find(({ key }) => key === 'color')).toMatchObject({ eventCount: 3, valueCount: 2 })
    expect(distributions.map(({ key }) => key)).not.toContain('size')
  })

  it('are counted beyond the bound if labels and searches depend on them', async () => {
    const { store, commit } = await openCommitter()
    for (const name of names(5)) await commit(hostileEvent(name))
    await commit(tagged('later', ['release', 'web@1'], ['handled', 'no'], ['size', 'L']))
    expect(numberOf(store, `SELECT count(*) FROM issue_tags WHERE key IN ('release', 'handled')`)).toBe(2)
    expect(countKeys(store)).toBe(limits.tagKeysPerIssue + 2)
  })

  it('are bounded for each issue by itself, and across processes', async () => {
    const { store, commit } = await openCommitter()
    const other = createCommitter(await store.openAgain())
    for (const name of names(10)) {
      await commit(hostileEvent(name))
      await other.commit(entryOf(hostileEvent(`other ${name}`)))
      await other.drain()
    }
    await commit(tagged('of another issue', ['size', 'L']))
    await commit(hostileEvent('fresh', { groupHash: testId('another') }))
    const read = store.connection.prepare(
      'SELECT count(DISTINCT key) AS n FROM issue_tags GROUP BY issue_id ORDER BY 1',
    )
    // The other process may be counting when this one would.
    await expect
      .poll(() => read.all().map(({ n }) => Number(n)))
      .toEqual([keysPerEvent + 1, limits.tagKeysPerIssue])
  })

  it('are not written again after a rollback that undid them', async () => {
    const { store, commit } = await openCommitter()
    const broken = hostileEvent('broken', { level: null as unknown as 'error' })
    await commit(hostileEvent('a'), broken, hostileEvent('b'))
    for (const name of names(5)) await commit(hostileEvent(name))
    expect(countKeys(store)).toBe(limits.tagKeysPerIssue)
  })

  it('are bounded in a merge target: the most frequent ones stay', async () => {
    const { store, receive } = await openKeptStore()
    for (const name of names(4)) {
      await receive({ ...ofIssue('a'), tags: hostileEvent(`a${name}`).tags })
      await receive({ ...ofIssue('b'), tags: [...hostileEvent(`b${name}`).tags, ['color', 'red']] })
    }
    await receive({ ...ofIssue('b'), tags: [['handled', 'no']] })
    await mergeIssues(store, 'b', 'a')
    const issueId = findIssueId(store, 'a') ?? -1
    const ofMerged = `FROM issue_tags WHERE issue_id = ${issueId}`
    expect(numberOf(store, `SELECT count(DISTINCT key) ${ofMerged}`)).toBe(limits.tagKeysPerIssue)
    expect(numberOf(store, `SELECT event_count ${ofMerged} AND key = 'color'`)).toBe(4)
    expect(numberOf(store, `SELECT event_count ${ofMerged} AND key = 'handled'`)).toBe(1)
  })
})

it('lists a bounded number of keys of an issue that had many before, most frequent first', async () => {
  const { store, commit } = await openCommitter()
  await commit(tagged('a', ['color', 'red']))
  await commit(tagged('b', ['color', 'blue']))
  store.connection.exec(`INSERT INTO issue_tags (project_id, issue_id, key, value, event_count, last_seen_at)
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
    SELECT i.project_id, i.id, 'k' || n.i, 'x', 1, 0 FROM n, issues i`)
  const issueId = numberOf(store, 'SELECT id FROM issues')
  const listed = await listTagDistributions(store.db, { projectId: 1, issueId })
  expect(listed).toHaveLength(limits.tagKeysListed)
  expect(listed.slice(0, 3)).toMatchObject([
    { key: 'color', eventCount: 2, valueCount: 2, values: [{ value: 'blue' }, { value: 'red' }] },
    { key: 'environment', eventCount: 2, values: [{ value: 'production', eventCount: 2 }] },
    { key: 'k1', eventCount: 1 },
  ])
})

it.skipIf(!onPostgres)('all new tag keys need one round trip in total', async () => {
  const { store, commit } = await openCommitter()
  const { connection } = store
  const roundTrips = () => (connection instanceof SyncConnection ? connection.roundTripCount : 0)
  const costOf = async (...events: EventRecord[]) => {
    const before = roundTrips()
    await commit(...events)
    return roundTrips() - before
  }
  await commit(tagged('first', ['color', 'red']))
  const few = await costOf(tagged('few', ['size', 'L']))
  const many = await costOf(hostileEvent('many'))
  const ofIssues = await costOf(...names(10).map((name) => hostileEvent(name, { groupHash: testId(name) })))
  expect(many).toBeLessThan(few + 3)
  expect(ofIssues).toBeLessThan(few + 15)
})
