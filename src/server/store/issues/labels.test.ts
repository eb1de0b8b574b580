import { describe, expect, it } from 'vitest'
import { everything } from '#search/expression.ts'
import { limits } from '#server/limits.ts'
import type { EventRecord } from '#server/store/ingest/records.ts'
import { makeEventRecord, openTestStore, testId, testNow } from '#test/test-store.ts'
import { dayMs } from '#time/time-steps.ts'
import { userSharePercent } from './labels.ts'
import { listIssues, type IssueListQuery } from './search/issue-list.ts'

/** Rows of the stream by title, of events that are named by title, age and place. */
async function openRows(events: (Partial<EventRecord> & { agoMs?: number })[]) {
  const statements: string[] = []
  const store = await openTestStore({ onStatement: (sql) => statements.push(sql) })
  const records = events.map(({ agoMs = 0, title = 'a', ...fields }, index) => {
    const at = testNow - agoMs
    const ids = { groupHash: testId(title), eventId: testId(String(index)) }
    return makeEventRecord({ title, ...ids, occurredAt: at, receivedAt: at, ...fields })
  })
  await store.commit(...records)
  const rows = async (query: Partial<IssueListQuery> = {}) => {
    statements.length = 0
    const page = await listIssues(store.db, {
      expression: everything,
      statuses: ['unresolved'],
      sort: 'last_seen',
      bars: '24h',
      userId: 'ada',
      limit: 10,
      now: testNow,
      projects: [{ id: 1, slug: 'web' }],
      ...query,
    })
    return Object.fromEntries(page.issues.map((issue) => [issue.title, issue]))
  }
  return { store, rows, statements }
}

/** An event for each user of a range. */
const eventsOf = (title: string, [from, to]: [number, number], agoMs = 0) =>
  Array.from({ length: to - from }, (_, index) => ({ title, userKey: `id:${from + index}`, agoMs }))

describe('a row of the stream', () => {
  it('is unhandled when one of its events was unhandled, without a further statement', async () => {
    const { rows, statements } = await openRows([
      { title: 'crash', tags: [['handled', 'no']] },
      { title: 'crash', tags: [['handled', 'yes']] },
      { title: 'caught', tags: [['handled', 'yes']] },
      { title: 'message' },
    ])
    const { crash, caught, message } = await rows()
    expect(crash).toMatchObject({ isUnhandled: true })
    expect(caught).not.toHaveProperty('isUnhandled')
    expect(message).not.toHaveProperty('isUnhandled')
    // Keys, rows, and the counts of all statuses.
    expect(statements).toHaveLength(3)
  })

  it('names the environment with most events in the time of its bars', async () => {
    const { rows } = await openRows([
      { environment: 'staging' },
      { environment: 'staging' },
      { environment: 'production' },
      { environment: 'production', agoMs: 3 * dayMs },
      { environment: 'production', agoMs: 3 * dayMs },
      { environment: 'test', title: 'old', agoMs: 20 * dayMs },
      { environment: 'dev', title: 'older', agoMs: 20 * dayMs },
      { environment: 'test', title: 'older', agoMs: 20 * dayMs },
    ])
    expect(await rows()).toMatchObject({
      a: { environment: 'staging', environmentCount: 2 },
      old: { environment: 'test', environmentCount: 1 },
      older: { environment: 'dev', environmentCount: 2 },
    })
    expect(await rows({ bars: '14d' })).toMatchObject({ a: { environment: 'production' } })
  })

  it('counts a bounded number of environments of an issue that names a new one in each event', async () => {
    const { store, rows } = await openRows([{ environment: 'staging' }, { environment: 'test' }])
    store.connection.exec(`INSERT INTO issue_environments (project_id, issue_id, environment)
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
      SELECT i.project_id, i.id, 'preview-' || n.i FROM n, issues i`)
    expect(await rows()).toMatchObject({
      a: { environment: 'staging', environmentCount: limits.issueEnvironmentsCounted },
    })
  })

  it('counts the events of its bars, not those of all time', async () => {
    const { rows } = await openRows([
      {},
      { agoMs: 2 * dayMs },
      { agoMs: 20 * dayMs, environment: 'staging' },
      { title: 'young', environment: 'staging' },
      { title: 'young' },
    ])
    expect(await rows()).toMatchObject({
      a: { spanEventCount: 1, eventCount: 3 },
      young: { spanEventCount: 2, eventCount: 2 },
    })
    expect(await rows({ bars: '14d' })).toMatchObject({ a: { spanEventCount: 2, eventCount: 3 } })
    expect(await rows({ environment: 'staging' })).toMatchObject({
      a: { spanEventCount: 0 },
      young: { spanEventCount: 1 },
    })
  })

  it('is escalating while its latest change is a reopening by escalation', async () => {
    const { store, rows } = await openRows([{}, { title: 'b' }])
    store.connection.exec(`UPDATE issues SET status_changed_at = 5;
      INSERT INTO issue_activity (project_id, issue_id, id, action_id, at, kind, detail)
      SELECT project_id, id, id, id, 5, 'reopened', '{"reason":"' || CASE WHEN title = 'a' THEN 'escalation' ELSE 'time' END || '"}' FROM issues`)
    const { a, b } = await rows()
    expect(a).toMatchObject({ isEscalating: true })
    expect(b).not.toHaveProperty('isEscalating')
    store.connection.exec('UPDATE issues SET status_changed_at = 6')
    expect((await rows())['a']).not.toHaveProperty('isEscalating')
  })

  it('has the share of the users of its project, without a further statement, in any environment and with any bars', async () => {
    const { rows, statements } = await openRows([
      ...eventsOf('a', [0, 30], 20 * dayMs),
      ...eventsOf('b', [20, 50]),
      ...eventsOf('b', [20, 50]),
      ...eventsOf('alone', [0, 1]),
      { title: 'nobody' },
      { title: 'other project', projectId: 2, userKey: 'id:1' },
      { title: 'other project', projectId: 2, userKey: 'id:2' },
    ])
    const projects = [
      { id: 1, slug: 'web' },
      { id: 2, slug: 'api' },
    ]
    const found = await rows({ projects, environment: 'production' })
    expect(statements).toHaveLength(3)
    expect(found).toMatchObject({
      a: { userCount: 30, userSharePercent: 60 },
      b: { userCount: 30, userSharePercent: 60 },
    })
    for (const title of ['alone', 'nobody', 'other project'])
      expect(found[title]?.userSharePercent).toBeUndefined()
  })
})

describe('the share of users', () => {
  it('is shown when it is significant', () => {
    expect(userSharePercent(12, 300)).toBe(4)
    expect(userSharePercent(2, 20)).toBe(10)
    expect(userSharePercent(1, 20)).toBeUndefined()
    expect(userSharePercent(19, 19)).toBeUndefined()
    expect(userSharePercent(0, 0)).toBeUndefined()
    expect(userSharePercent(9, 1_000)).toBeUndefined()
    expect(userSharePercent(10, 1_000)).toBe(1)
  })

  it('is 100 % only of all users, and never more, though two estimates contradict each other', () => {
    expect(userSharePercent(999, 1_000)).toBe(99)
    expect(userSharePercent(1_000, 1_000)).toBe(100)
    expect(userSharePercent(50_000, 48_900)).toBe(100)
  })
})
