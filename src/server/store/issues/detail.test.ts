import { describe, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import type { EventRecord } from '#server/store/ingest/records.ts'
import { recordComment, recordCommentChange } from '#server/store/triage/comments.ts'
import { makeEventRecord, openTestStore, testId, testNow, testProjectIds } from '#test/test-store.ts'
import { dayMs, hourMs, hourOf } from '#time/time-steps.ts'
import { findIssueDetail, findIssueProgress } from './detail.ts'
import { issueIdCandidate } from './id.ts'
import { toTrend } from './trend.ts'

const idOf = (group: string, projectId = 1) => issueIdCandidate(projectId, testId(group), 0)

async function openIssues(...events: Partial<EventRecord>[]) {
  const store = await openTestStore()
  for (const [index, event] of events.entries()) {
    await store.commit(makeEventRecord({ eventId: testId(`event ${index}`), ...event }))
  }
  const find = (group = 'group', projectIds = testProjectIds) =>
    findIssueDetail(store.db, { issueId: idOf(group), projectIds, now: testNow })
  return { find, ...store }
}

describe('the trend of an issue', () => {
  it('counts the events of all environments over three periods', async () => {
    const { find } = await openIssues(
      {},
      { environment: 'staging' },
      { occurredAt: testNow - 23 * hourMs },
      { occurredAt: testNow - dayMs },
      { occurredAt: testNow - 80 * dayMs },
      { occurredAt: testNow - 200 * dayMs },
    )
    const trend = (await find())?.trend
    expect(trend?.['24h'].counts).toEqual([1, ...Array.from({ length: 22 }, () => 0), 2])
    expect(trend?.['14d'].counts).toHaveLength(56)
    expect(trend?.['14d'].counts.slice(-5)).toEqual([2, 0, 0, 0, 2])
    expect(trend?.['90d'].counts).toHaveLength(90)
    expect(trend?.['90d'].counts.at(-1)).toBe(2)
    expect(trend?.['90d'].counts.at(-2)).toBe(2)
    expect(trend?.['90d'].counts.at(-81)).toBe(1)
  })

  it('ends with the current step, and its steps are contiguous', () => {
    const trend = toTrend([[hourOf(testNow), 7]], testNow)
    for (const { since, stepMs, counts } of Object.values(trend)) {
      expect(counts.at(-1)).toBe(7)
      const end = since + stepMs * counts.length
      expect(end).toBeGreaterThan(testNow)
      expect(end - stepMs).toBeLessThanOrEqual(testNow)
    }
  })

  it('marks the project’s newest releases in it', async () => {
    const { find, connection } = await openIssues(
      { release: 'web@1' },
      { release: 'web@2', occurredAt: testNow - 5 },
    )
    expect((await find())?.releases).toEqual([
      { version: 'web@2', at: testNow - 5 },
      { version: 'web@1', at: testNow },
    ])
    connection.exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
      INSERT INTO releases (project_id, version, first_seen_at, last_seen_at, event_count, created_at)
      SELECT 1, 'r' || i, 0, 0, 1, ${testNow} + i FROM n`)
    const releases = (await find())?.releases ?? []
    expect(releases).toHaveLength(limits.releaseMarks)
    expect(releases.at(-1)?.version).toBe('r100')
  })
})

describe('an open issue page', () => {
  it('keeps its event when newer ones have arrived', async () => {
    const { db } = await openIssues({ occurredAt: testNow - 2 }, { occurredAt: testNow - 1 })
    const find = (eventId?: string) =>
      findIssueDetail(db, { issueId: idOf('group'), projectIds: testProjectIds, now: testNow, eventId })
    expect((await find())?.event.eventId).toBe(testId('event 1'))
    expect((await find(testId('event 0')))?.event).toMatchObject({
      eventId: testId('event 0'),
      position: { nextEventId: testId('event 1'), earlierCount: 0, laterCount: 1 },
    })
  })

  it('shows the latest event when its event has been deleted, or belongs to another issue', async () => {
    const { db } = await openIssues({}, { groupHash: testId('other group') })
    const query = { issueId: idOf('group'), projectIds: testProjectIds, now: testNow }
    for (const eventId of [testId('event 1'), testId('deleted')])
      expect((await findIssueDetail(db, { ...query, eventId }))?.event.eventId).toBe(testId('event 0'))
  })

  it('learns its counts, its trend and the position of its event', async () => {
    const { db } = await openIssues(
      { occurredAt: testNow - 2, userKey: 'id:1' },
      { occurredAt: testNow - 1, userKey: 'id:2', release: 'web@2' },
    )
    const query = { issueId: idOf('group'), projectIds: testProjectIds, now: testNow }
    const progress = await findIssueProgress(db, { ...query, eventId: testId('event 0') })
    expect(progress).toMatchObject({
      issue: { eventCount: 2, userCount: 2, lastSeenAt: testNow - 1, lastRelease: 'web@2' },
      position: { latestEventId: testId('event 1'), laterCount: 1 },
    })
    expect(progress?.trend['24h'].counts.at(-1)).toBe(2)
    expect((await findIssueProgress(db, { ...query, eventId: testId('deleted') }))?.position).toBeUndefined()
    const elsewhere = { ...query, projectIds: [2], eventId: testId('event 0') }
    expect(await findIssueProgress(db, elsewhere)).toBeUndefined()
  })

  it('learns of each change of its activity', async () => {
    const { find, ...store } = await openIssues({})
    const query = { issueId: idOf('group'), projectIds: testProjectIds, now: testNow }
    const versionOf = async () => (await findIssueProgress(store.db, query))?.activityVersion
    const versions = [await versionOf()]
    const by = { userId: 'ada', at: testNow }
    const record = async (change: Promise<unknown>) => {
      expect(await change).toBe(true)
      versions.push(await versionOf())
      expect((await find())?.triage.activityVersion).toBe(versions.at(-1))
    }
    await record(recordComment(store, query, { ...by, text: 'First' }))
    await record(recordComment(store, query, { ...by, at: testNow + 1, text: 'Second' }))
    const commentId = (await find())?.triage.activity[0]?.id ?? ''
    await record(recordCommentChange(store, query, { ...by, commentId, text: 'Edited' }))
    await record(recordCommentChange(store, query, { ...by, commentId }))
    expect(new Set(versions)).toHaveLength(versions.length)
  })
})

describe('similar issues', () => {
  it('have the same title, and the same culprit or the same message', async () => {
    const { find } = await openIssues(
      { groupHash: testId('group') },
      { groupHash: testId('same place'), subtitle: 'y is not a function' },
      { groupHash: testId('same words'), culprit: 'boot(app.js)', occurredAt: testNow - 1 },
      { groupHash: testId('neither'), culprit: 'boot(app.js)', subtitle: 'other' },
      { groupHash: testId('another kind'), title: 'RangeError' },
      { groupHash: testId('another project'), projectId: 2 },
      { groupHash: testId('both'), occurredAt: testNow - 2 },
    )
    const similar = (await find())?.similar
    expect(similar?.map(({ id }) => id)).toEqual(
      ['both', 'same place', 'same words'].map((group) => String(idOf(group))),
    )
    expect(similar?.[1]).toEqual({
      id: String(idOf('same place')),
      shortId: 'WEB-2',
      title: 'TypeError',
      subtitle: 'y is not a function',
      culprit: 'render(app.js)',
      status: 'unresolved',
      eventCount: 1,
      lastSeenAt: testNow,
    })
  })

  it('are a few', async () => {
    const events = Array.from({ length: 9 }, (_, index) => ({ groupHash: testId(`group ${index}`) }))
    const { find } = await openIssues({}, ...events)
    expect((await find())?.similar).toHaveLength(limits.similarIssuesShown)
  })
})

it('an issue without access is not found', async () => {
  const { find } = await openIssues({})
  expect(await find('group', [2])).toBeUndefined()
  expect((await find('group', [1]))?.issue.title).toBe('TypeError')
})
