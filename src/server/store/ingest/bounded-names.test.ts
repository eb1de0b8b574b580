import { describe, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { recordMerge } from '#server/store/triage/merge.ts'
import { makeEventRecord, openTestStore, testId, testNow, testProjectIds, entryOf } from '#test/test-store.ts'
import { createCommitter } from './committer.ts'
import type { EventRecord } from './records.ts'

const named = (name: string, fields: Partial<EventRecord>) =>
  makeEventRecord({ eventId: testId(name), ...fields })

async function openCommitter() {
  const store = await openTestStore()
  const committer = createCommitter(store)
  /** One event per transaction, or all in one. */
  const commit = async (events: EventRecord[], way: 'each' | 'together' = 'together') => {
    if (way === 'together') await Promise.all(events.map((event) => committer.commit(entryOf(event))))
    else for (const event of events) await committer.commit(entryOf(event))
    await committer.drain()
  }
  const read = (sql: string) => store.connection.prepare(sql).all()
  const count = (sql: string) => Number(Object.values(read(sql)[0] ?? {})[0])
  return { store, commit, read, count }
}

const inEnvironments = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) =>
    named(`event ${from + at}`, { environment: `preview-${from + at}`, occurredAt: testNow }),
  )

const ofReleases = (from: number, to: number, fields: Partial<EventRecord> = {}) =>
  Array.from({ length: to - from }, (_, at) =>
    named(`event ${from + at}`, { release: `web@1.0.${from + at}`, ...fields }),
  )

describe('the environments of an issue', () => {
  const { environmentsPerIssue } = limits
  it.each(['each', 'together'] as const)(
    'are counted as (other) beyond the limit, while the events keep theirs: %s',
    async (way) => {
      const { commit, read, count } = await openCommitter()
      await commit(inEnvironments(0, environmentsPerIssue - 10))
      await commit(inEnvironments(environmentsPerIssue - 10, environmentsPerIssue + 20), way)
      expect(count('SELECT count(*) FROM issue_environments')).toBe(environmentsPerIssue + 1)
      expect(count('SELECT count(*) FROM issue_hours')).toBe(environmentsPerIssue + 1)
      expect(read(`SELECT event_count FROM issue_hours WHERE environment = '(other)'`)).toEqual([
        { event_count: 20 },
      ])
      expect(count('SELECT sum(event_count) FROM issue_hours')).toBe(environmentsPerIssue + 20)
      expect(count('SELECT count(DISTINCT environment) FROM events')).toBe(environmentsPerIssue + 20)
    },
  )

  it('are counted by name if they were known before the limit was reached', async () => {
    const { store, commit, read } = await openCommitter()
    await commit(inEnvironments(0, environmentsPerIssue + 1))
    // Another process has no memory of them.
    const other = createCommitter(store)
    await other.commit(entryOf(named('again', { environment: 'preview-3', occurredAt: testNow })))
    await other.close()
    expect(read(`SELECT event_count FROM issue_hours WHERE environment = 'preview-3'`)).toEqual([
      { event_count: 2 },
    ])
  })

  it('that the project lists are counted by name in every issue', async () => {
    const { commit, read } = await openCommitter()
    await commit([named('listed', { groupHash: testId('other'), environment: 'production' })])
    await commit(inEnvironments(0, environmentsPerIssue + 1))
    await commit([named('in production', { environment: 'production', occurredAt: testNow })])
    await commit([named('in a preview', { environment: 'preview-new', occurredAt: testNow })])
    const names = `'production', 'preview-new', '(other)'`
    expect(
      read(`SELECT environment, sum(event_count) AS n FROM issue_hours WHERE environment IN (${names})
        GROUP BY environment ORDER BY environment`),
    ).toEqual([
      { environment: '(other)', n: 2 },
      { environment: 'production', n: 2 },
    ])
  })

  it('are limited for a merge target and its parts, whose sums stay the same', async () => {
    const { store, commit, read } = await openCommitter()
    await commit(inEnvironments(0, environmentsPerIssue - 5))
    await commit([named('part', { groupHash: testId('part') })])
    const issueIds = read('SELECT id FROM issues').map(({ id }) => Number(id))
    await recordMerge(store, { issueIds, projectIds: testProjectIds }, { userId: 'ada', at: testNow })
    await commit(inEnvironments(2_000, 2_020))
    const sums = read('SELECT issue_id, sum(event_count) AS n FROM issue_hours GROUP BY issue_id ORDER BY n')
    expect(sums.map(({ n }) => n)).toEqual([1, environmentsPerIssue + 15, environmentsPerIssue + 16])
  })

  it('are limited for each issue', async () => {
    const { commit, count } = await openCommitter()
    await commit(inEnvironments(0, environmentsPerIssue))
    await commit([named('other', { groupHash: testId('other'), environment: 'preview-new' })])
    expect(count(`SELECT count(*) FROM issue_hours WHERE environment = 'preview-new'`)).toBe(1)
  })
})

describe('the releases of a project', () => {
  it('are created by events up to a number per day, while all events keep theirs', async () => {
    const { commit, count } = await openCommitter()
    await commit(ofReleases(0, limits.releasesPerDay + 5))
    expect(count('SELECT count(*) FROM releases')).toBe(limits.releasesPerDay)
    expect(count('SELECT count(*) FROM release_environments')).toBe(limits.releasesPerDay)
    expect(count('SELECT count(DISTINCT release) FROM events')).toBe(limits.releasesPerDay + 5)
    await commit([named('known', { release: 'web@1.0.3' })])
    expect(count(`SELECT event_count FROM releases WHERE version = 'web@1.0.3'`)).toBe(2)
  })

  it('are not limited for imported events', async () => {
    const { commit, count } = await openCommitter()
    await commit(ofReleases(0, limits.releasesPerDay + 5, { isImported: true }))
    expect(count('SELECT count(*) FROM releases')).toBe(limits.releasesPerDay + 5)
  })

  it('list environments up to the limit', async () => {
    const { commit, count } = await openCommitter()
    const events = Array.from({ length: limits.environmentsPerRelease + 5 }, (_, at) =>
      named(`event ${at}`, { release: 'web@1', environment: `preview-${at}` }),
    )
    await commit(events)
    expect(count('SELECT count(*) FROM release_environments')).toBe(limits.environmentsPerRelease)
    expect(count('SELECT event_count FROM releases')).toBe(limits.environmentsPerRelease + 5)
  })
})
