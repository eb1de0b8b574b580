import { describe, expect, it } from 'vitest'
import { mergeIssues, ofIssue, openKeptStore } from '#test/kept-store.ts'
import { findBrokenInvariants } from '#test/store-invariants.ts'
import { testId, testNow } from '#test/test-store.ts'
import { dayMs } from '#time/time-steps.ts'

describe('retention by age', () => {
  it('keeps an event that is exactly as old as the limit, and deletes one that is a millisecond older', async () => {
    const { store, receive, setNow, retain, keptIds } = await openKeptStore()
    setNow(testNow - 90 * dayMs - 1)
    await receive(ofIssue('a'))
    setNow(testNow - 90 * dayMs)
    const [exactly] = await receive(ofIssue('b'))
    setNow(testNow)
    const report = await retain()
    expect(keptIds()).toEqual([exactly])
    expect(report.projects.get(1)).toEqual({
      events: { age: 1, count: 0, bytes: 0, deleted: 0 },
      issueCount: 1,
    })
    expect(findBrokenInvariants(store)).toEqual([])
  })

  it('keeps recently received events, however old their time of occurrence', async () => {
    const { receive, setDaysAgo, retain, keptIds } = await openKeptStore()
    setDaysAgo(80)
    const late = await receive({ ...ofIssue('late'), occurredAt: testNow - 105 * dayMs })
    setDaysAgo(0)
    await retain()
    expect(keptIds()).toEqual(late)
  })

  it('keeps the first event of an active issue when the rest of its block is deleted', async () => {
    const { store, receive, setDaysAgo, retain, keptIds } = await openKeptStore()
    setDaysAgo(100)
    const [first, ...others] = await receive(
      { ...ofIssue('a'), occurredAt: testNow - 100 * dayMs - 5 },
      ofIssue('a'),
      ofIssue('a'),
      ofIssue('dead'),
      { ...ofIssue('dead'), projectId: 2 },
    )
    setDaysAgo(1)
    const [latest] = await receive(ofIssue('a'))
    setDaysAgo(0)
    const report = await retain()
    expect(keptIds()).toEqual([first, latest])
    expect(keptIds(2)).toEqual([])
    expect(others).toHaveLength(4)
    expect(report.projects.get(1)).toEqual({
      events: { age: 3, count: 0, bytes: 0, deleted: 0 },
      issueCount: 1,
    })
    expect(report.projects.get(2)).toEqual({
      events: { age: 1, count: 0, bytes: 0, deleted: 0 },
      issueCount: 1,
    })
    expect(
      store.connection.prepare('SELECT title, event_count, expired_event_count FROM issues').all(),
    ).toEqual([{ title: 'a', event_count: 4, expired_event_count: 2 }])
    expect(findBrokenInvariants(store)).toEqual([])
  })

  it('deletes a first or latest event once another one replaces it', async () => {
    const { store, receive, setDaysAgo, retain, keptIds } = await openKeptStore()
    setDaysAgo(100)
    await receive(ofIssue('a'), ofIssue('b'))
    setDaysAgo(50)
    const [inTime] = await receive(ofIssue('a'))
    setDaysAgo(20)
    await retain()
    expect(keptIds()).toHaveLength(3)
    setDaysAgo(0)
    // An SDK that was offline: the event occurred before all stored ones.
    const [first] = await receive({ ...ofIssue('a'), occurredAt: testNow - 110 * dayMs })
    const [latest] = await receive(ofIssue('a'))
    await retain()
    expect(keptIds()).toEqual([first, inTime, latest])
    expect(findBrokenInvariants(store)).toEqual([])
  })

  it('deletes an issue with all its rows and its merged issues', async () => {
    const { store, receive, setDaysAgo, retain, count } = await openKeptStore()
    setDaysAgo(100)
    const eventId = testId('with a file')
    await receive(
      { ...ofIssue('a'), eventId, userKey: 'id:1', tags: [['browser', 'Firefox']], digests: ['1135396951'] },
      { ...ofIssue('merged'), userKey: 'id:2' },
    )
    await mergeIssues(store, 'merged', 'a')
    for (const sql of [
      `INSERT INTO attachments SELECT project_id, event_id, 1, 'a.txt', 'text/plain', '', received_at, 1, 1, x'00', x'00'
         FROM events LIMIT 1`,
      `INSERT INTO event_feedback SELECT project_id, event_id, event_id, received_at, '', '', 'broken'
         FROM events LIMIT 1`,
    ])
      store.connection.prepare(sql).run()
    setDaysAgo(0)
    const report = await retain()
    expect(report.projects.get(1)?.issueCount).toBe(1)
    for (const table of [
      'events',
      'issues',
      'issue_hashes',
      'issue_tags',
      'issue_hours',
      'issue_users',
      'issue_environments',
      'issue_activity',
      'issue_parts',
      'body_blocks',
      'event_digests',
      'attachments',
      'event_feedback',
      'expired_issues',
    ]) {
      expect([table, count(table)]).toEqual([table, 0])
    }
  })

  it('accepts a deleted event as a new one when it is sent again', async () => {
    const { store, receive, setDaysAgo, retain, keptIds } = await openKeptStore()
    setDaysAgo(100)
    const eventId = testId('again')
    await receive({ ...ofIssue('a'), eventId })
    setDaysAgo(0)
    await retain()
    expect(keptIds()).toEqual([])
    await receive({ ...ofIssue('a'), eventId })
    expect(keptIds()).toEqual([eventId])
    expect(store.connection.prepare('SELECT number, event_count FROM issues').all()).toEqual([
      { number: 2, event_count: 1 },
    ])
    expect(findBrokenInvariants(store)).toEqual([])
  })

  it('creates a partially deleted issue again with fresh counters', async () => {
    const { store, receive } = await openKeptStore()
    await receive({ ...ofIssue('a'), tags: [['browser', 'Firefox']] })
    const id = Number(store.connection.prepare('SELECT id FROM issues').get()?.['id'])
    // The state after a process was killed between an issue and its counters.
    store.connection.exec(`
      INSERT INTO expired_issues SELECT project_id, id, 0, 0 FROM issues;
      DELETE FROM issues; DELETE FROM issue_hashes; DELETE FROM events; DELETE FROM body_blocks`)
    await receive(ofIssue('a'))
    const row = store.connection.prepare('SELECT id FROM issues').get()
    expect(row?.['id']).not.toBe(id)
    expect(
      store.connection
        .prepare('SELECT count(*) AS n FROM issue_tags WHERE issue_id = ?')
        .get(Number(row?.['id'])),
    ).toEqual({ n: 1 })
    expect(findBrokenInvariants(store)).toEqual([])
  })

  it('deletes nothing by age while the clock is not trusted', async () => {
    const { receive, setDaysAgo, retain, keptIds } = await openKeptStore()
    setDaysAgo(0)
    await receive(ofIssue('a'))
    setDaysAgo(-365)
    await retain({ isClockTrusted: false })
    expect(keptIds()).toHaveLength(1)
    await retain()
    expect(keptIds()).toEqual([])
  })

  it('uses the days that a project has set', async () => {
    const { receive, setDaysAgo, keep, retain, keptIds } = await openKeptStore()
    setDaysAgo(8)
    await receive(ofIssue('a'), { ...ofIssue('a'), projectId: 2 })
    setDaysAgo(0)
    await keep(1, { days: 7 })
    await retain()
    expect([keptIds(1).length, keptIds(2).length]).toEqual([0, 1])
  })

  it('merges the rest of many small blocks, and does not rewrite the result', async () => {
    const { store, receive, setDaysAgo, setNow, now, retain, count } = await openKeptStore()
    setDaysAgo(100)
    for (let index = 0; index < 20; index += 1) {
      await receive(ofIssue(`${index}`), ofIssue(`${index}`))
      setNow(now() + 60_000)
    }
    setDaysAgo(1)
    for (let index = 0; index < 20; index += 1) await receive(ofIssue(`${index}`))
    setDaysAgo(0)
    // The number of blocks in one slice depends on the load of the machine.
    for (let run = 0; run < 10 && count('body_blocks') > 21; run += 1) await retain()
    expect(count('events')).toBe(40)
    expect(count('body_blocks')).toBe(21)
    expect(findBrokenInvariants(store)).toEqual([])
    const blocks = () => store.connection.prepare('SELECT id, data FROM body_blocks ORDER BY id').all()
    const before = blocks()
    await retain()
    expect(blocks()).toEqual(before)
  })

  it('keeps an unreadable block until its last event expires', async () => {
    const { store, receive, setDaysAgo, retain, count } = await openKeptStore()
    setDaysAgo(100)
    await receive(ofIssue('a'), ofIssue('a'), ofIssue('dead'))
    store.connection.prepare("UPDATE body_blocks SET data = x'00'").run()
    setDaysAgo(50)
    await receive(ofIssue('a'))
    setDaysAgo(0)
    const report = await retain()
    expect(report.damagedBlockCount).toBe(1)
    expect(count('events')).toBe(2)
    expect(count('body_blocks')).toBe(2)
    setDaysAgo(-50)
    await retain()
    expect([count('events'), count('body_blocks')]).toEqual([0, 0])
  })

  it('deletes events whose block was lost in a damaged database', async () => {
    const { store, receive, setDaysAgo, retain, keptIds, count } = await openKeptStore()
    setDaysAgo(100)
    await receive(ofIssue('a'), ofIssue('b'))
    setDaysAgo(99)
    await receive(ofIssue('a'))
    setDaysAgo(1)
    const young = await receive(ofIssue('c'))
    store.connection.exec('DELETE FROM body_blocks')
    setDaysAgo(0)
    expect((await retain({ isDryRun: true })).projects.get(1)?.events.age).toBe(3)
    const report = await retain()
    expect(report.projects.get(1)).toMatchObject({ events: { age: 3 }, issueCount: 2 })
    expect([keptIds(), count('issues')]).toEqual([young, 1])
  })
})
