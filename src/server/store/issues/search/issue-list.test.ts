import { describe, expect, it } from 'vitest'
import { everything, toExpression } from '#search/expression.ts'
import { parseSearch } from '#search/parse-search.ts'
import { limits } from '#server/limits.ts'
import type { EventRecord } from '#server/store/ingest/records.ts'
import { issueIdCandidate } from '#server/store/issues/id.ts'
import { issueSorts, issueStatuses } from '#server/store/issues/records.ts'
import { copyIssue } from '#test/issue-copies.ts'
import { makeEventRecord, openTestStore, testId, testNow } from '#test/test-store.ts'
import { dayMs, hourMs, minuteMs } from '#time/time-steps.ts'
import { listIssues } from './issue-list.ts'
import type { IssueListQuery } from './issue-list.ts'
import { issueCursors } from './order.ts'

const idOf = (group: string, projectId = 1) => String(issueIdCandidate(projectId, testId(group), 0))
const eventOf = (group: string, name: string, fields: Partial<EventRecord> = {}) =>
  makeEventRecord({ groupHash: testId(group), eventId: testId(name), title: group, ...fields })

/** An event of another issue, minutes from now. */
const inRelease = (version: string, minutes: number) => {
  const at = testNow + minutes * minuteMs
  const release = `web@${version}`
  const seen = {
    release,
    tags: [['release', release] as [string, string]],
    occurredAt: at,
    receivedAt: at,
  }
  return eventOf(version, version, seen)
}

const [web, api] = [
  { id: 1, slug: 'web' },
  { id: 2, slug: 'api' },
]
const search = (text: string) => ({ expression: toExpression(parseSearch(text)) })

const query: IssueListQuery = {
  expression: everything,
  statuses: ['unresolved'],
  sort: 'last_seen',
  bars: '24h',
  userId: 'ada',
  limit: 10,
  now: testNow,
  projects: [web, api],
  // Even on a busy machine.
  timeLimitMs: 60_000,
}

async function openStream(events: EventRecord[]) {
  const statements: string[] = []
  const store = await openTestStore({ onStatement: (sql) => statements.push(sql) })
  await store.commit(...events)
  const list = (fields: Partial<IssueListQuery> = {}) => listIssues(store.db, { ...query, ...fields })
  const titles = async (fields: Partial<IssueListQuery> = {}) =>
    (await list(fields)).issues.map((issue) => issue.title)
  return { store, statements, list, titles }
}

describe('the stream', () => {
  const none = { count: 0, isMore: false }

  it('is empty without issues, and for a user without projects', async () => {
    const { list, statements } = await openStream([])
    const empty = { issues: [], counts: { unresolved: none, resolved: none, archived: none } }
    expect(await list()).toEqual(empty)
    statements.length = 0
    expect(await list({ projects: [] })).toEqual(empty)
    expect(statements).toEqual([])
  })

  it('shows an issue with its project and its bars', async () => {
    const { list, statements } = await openStream([
      eventOf('a', '1', { occurredAt: testNow - dayMs, receivedAt: testNow - dayMs }),
      eventOf('a', '2', {
        occurredAt: testNow - 23 * hourMs,
        receivedAt: testNow - 23 * hourMs,
        release: 'web@1',
        userKey: 'id:1',
      }),
      eventOf('a', '3', { environment: 'staging' }),
      eventOf('a', '4'),
    ])
    const page = await list()
    expect(page).toEqual({
      issues: [
        {
          id: idOf('a'),
          shortId: 'WEB-1',
          project: { id: 1, slug: 'web', name: 'Web' },
          type: 'error',
          title: 'a',
          subtitle: 'x is not a function',
          culprit: 'render(app.js)',
          level: 'error',
          platform: 'javascript',
          status: 'unresolved',
          firstSeenAt: testNow - dayMs,
          lastSeenAt: testNow,
          eventCount: 4,
          keptEventCount: 4,
          userCount: 1,
          firstRelease: 'web@1',
          lastRelease: 'web@1',
          environment: 'production',
          environmentCount: 2,
          bars: [1, ...Array.from({ length: 22 }, () => 0), 2],
          spanEventCount: 3,
        },
      ],
      counts: { unresolved: { count: 1, isMore: false }, resolved: none, archived: none },
    })
    // Keys, rows, and the counts of all statuses.
    expect(statements).toHaveLength(3)
  })

  it('sorts by each column, largest first', async () => {
    const { titles } = await openStream([
      eventOf('many', '1', { occurredAt: testNow - 5, receivedAt: testNow - 5 }),
      eventOf('many', '2', { occurredAt: testNow - 4, receivedAt: testNow - 4 }),
      eventOf('late', '3', { occurredAt: testNow, receivedAt: testNow }),
      eventOf('users', '4', { occurredAt: testNow - 9, receivedAt: testNow - 9, userKey: 'id:1' }),
    ])
    expect(await titles({ sort: 'last_seen' })).toEqual(['late', 'many', 'users'])
    expect(await titles({ sort: 'first_seen' })).toEqual(['late', 'many', 'users'])
    expect((await titles({ sort: 'events' }))[0]).toBe('many')
    expect((await titles({ sort: 'users' }))[0]).toBe('users')
  })

  it('is limited to versions, and for builds that are commits to earlier or later ones', async () => {
    const { titles } = await openStream([
      inRelease('1.4.0', 3),
      inRelease('1.4.0+f00ba11', 4),
      inRelease('1.4.0+3e1c8b0', 5),
      inRelease('1.4.0+9c1d5e2', 6),
      // After the commits by date, before them in the order.
      inRelease('1.4.0+52', 8),
      inRelease('1.4.1+0000001', 1),
      inRelease('1.3.9+fffffff', 7),
    ])
    const found = async (text: string) =>
      (await titles({ ...search(`release.version:${text}`), statuses: issueStatuses })).toSorted()
    expect(await found('>1.4.0+3e1c8b0')).toEqual(['1.4.0+9c1d5e2', '1.4.1+0000001'])
    expect(await found('>=1.4.0+3e1c8b0')).toEqual(['1.4.0+3e1c8b0', '1.4.0+9c1d5e2', '1.4.1+0000001'])
    expect(await found('<1.4.0+3e1c8b0')).toEqual(['1.3.9+fffffff', '1.4.0', '1.4.0+52', '1.4.0+f00ba11'])
    expect(await found('<=1.4.0+3e1c8b0')).toEqual([
      '1.3.9+fffffff',
      '1.4.0',
      '1.4.0+3e1c8b0',
      '1.4.0+52',
      '1.4.0+f00ba11',
    ])
    expect(await found('>1.4.0+abc')).toEqual(['1.4.1+0000001'])
    expect(await found('>1.4.0')).toEqual(['1.4.1+0000001'])
    expect(await found('>1.4.0+52')).toHaveLength(4)
    expect(await found('>=1.4.0')).toHaveLength(6)
  })

  it('is limited to a project, a status and an environment', async () => {
    const { store, titles, list } = await openStream([
      eventOf('a', '1', { occurredAt: testNow - 1, receivedAt: testNow - 1 }),
      eventOf('a', '2', { occurredAt: testNow - 1, receivedAt: testNow - 1, environment: 'staging' }),
      eventOf('b', '3', { occurredAt: testNow - 2, receivedAt: testNow - 2 }),
      eventOf('c', '4', {
        occurredAt: testNow - 3,
        receivedAt: testNow - 3,
        projectId: 2,
        environment: 'staging',
      }),
    ])
    store.connection.exec(`UPDATE issues SET status = 'resolved' WHERE title = 'b'`)
    expect(await titles()).toEqual(['a', 'c'])
    expect(await titles({ statuses: ['resolved'] })).toEqual(['b'])
    expect(await titles({ statuses: ['archived'] })).toEqual([])
    expect(await titles({ statuses: issueStatuses })).toEqual(['a', 'b', 'c'])
    expect(await titles({ projects: [api] })).toEqual(['c'])
    const staging = search('environment:staging')
    expect(await titles(staging)).toEqual(['a', 'c'])
    expect(await titles({ ...staging, projects: [web], statuses: issueStatuses })).toEqual(['a'])
    expect(await titles(search('environment:nowhere'))).toEqual([])
    const [filtered] = (await list({ ...staging, environment: 'staging' })).issues
    expect(filtered).toMatchObject({ eventCount: 2 })
    expect(filtered?.bars.at(-1)).toBe(1)
    const [byDay] = (await list({ ...staging, environment: 'staging', bars: '14d' })).issues
    expect(byDay?.bars).toEqual([...Array.from({ length: 13 }, () => 0), 1])
  })
})

/** 23 issues that share few sort values, in two projects and three statuses. */
async function makeStream() {
  const stream = await openStream(
    Array.from({ length: 23 }, (_, index) =>
      eventOf(`g${index}`, `${index}`, {
        occurredAt: testNow - (index % 3),
        receivedAt: testNow - (index % 3),
        projectId: (index % 2) + 1,
      }),
    ),
  )
  for (const [index, status] of issueStatuses.entries()) {
    stream.store.connection.exec(`UPDATE issues SET status = '${status}' WHERE id % 3 = ${index}`)
  }
  return stream
}

const scanned = search('level:fatal')

describe('pages', () => {
  it.each(issueSorts)('by %s show every issue once, and the same ones backwards', async (sort) => {
    const { list } = await makeStream()
    const read = async (cursor?: string) =>
      list({ statuses: issueStatuses, sort, limit: 5, ...(cursor && { cursor }) })
    const all = (await list({ statuses: issueStatuses, sort, limit: 100 })).issues.map((issue) => issue.id)
    const forward = [await read()]
    for (let next = forward[0]?.nextCursor; next; next = forward.at(-1)?.nextCursor)
      forward.push(await read(next))
    expect(forward.map((page) => page.issues.length)).toEqual([5, 5, 5, 5, 3])
    expect(forward.flatMap((page) => page.issues.map((issue) => issue.id))).toEqual(all)
    expect(forward[0]?.previousCursor).toBeUndefined()

    const backward = forward.slice(-1)
    for (let previous = backward[0]?.previousCursor; previous; previous = backward[0]?.previousCursor) {
      backward.unshift(await read(previous))
    }
    expect(backward).toEqual(forward)
  })

  it('end without a next page when the last one is exactly full', async () => {
    const { list } = await openStream([eventOf('a', '1'), eventOf('b', '2')])
    const page = await list({ limit: 2 })
    expect(page.issues).toHaveLength(2)
    expect(page.nextCursor).toBeUndefined()
  })

  it('link back from a page that has become empty', async () => {
    const { list, store } = await openStream([
      eventOf('a', '1'),
      eventOf('b', '2', { occurredAt: testNow - 1, receivedAt: testNow - 1 }),
    ])
    const { nextCursor = '' } = await list({ limit: 1 })
    store.connection.exec(`DELETE FROM issues WHERE title = 'b'`)
    const empty = await list({ limit: 1, cursor: nextCursor })
    expect(empty.issues).toEqual([])
    expect(empty.nextCursor).toBeUndefined()
    expect(empty.previousCursor).toBeDefined()
  })

  it.each(issueSorts)(
    'by %s end after a scan limit without matches, and continue from there in both directions',
    async (sort) => {
      const { list, store } = await openStream([
        eventOf('sought', '1', { level: 'fatal' }),
        // One status is scanned to its end, while the page ends with the other one.
        eventOf('settled', '2', { level: 'fatal', projectId: 2 }),
      ])
      store.connection.exec(`UPDATE issues SET status = 'resolved' WHERE title = 'settled'`)
      copyIssue(store.connection, 1, limits.scannedIssues + 20)
      const ask = (cursor?: string) =>
        list({ ...scanned, sort, statuses: issueStatuses, ...(cursor && { cursor }) })
      const first = await ask()
      expect(first).toMatchObject({ issues: [], cutShort: 'next' })
      expect(first.previousCursor).toBeUndefined()
      const second = await ask(first.nextCursor)
      expect(second.issues.map(({ title }) => title).toSorted()).toEqual(['settled', 'sought'])
      expect(second).not.toHaveProperty('cutShort')
      expect(second.nextCursor).toBeUndefined()
      const end = issueCursors(sort).format({ side: 'before', position: { value: 0, issueId: 0 } })
      const last = await ask(end)
      expect(last).toMatchObject({ issues: second.issues, cutShort: 'previous' })
      const back = await ask(last.previousCursor)
      expect(back).toMatchObject({ issues: [] })
      expect(back.previousCursor).toBeUndefined()
      // After an empty page, the previous page is the one that led to it.
      expect(await ask(back.nextCursor)).toMatchObject({ issues: second.issues })
      const around = await ask(second.previousCursor)
      expect(around).toMatchObject({ issues: [], cutShort: 'previous' })
      expect(await ask(around.nextCursor)).toMatchObject({ issues: second.issues })
      expect((await list({ sort })).issues).toHaveLength(10)
    },
  )

  it.each([
    [limits.scannedIssues, { issues: [{ title: 'sought' }] }],
    [limits.scannedIssues + 1, { issues: [], cutShort: 'next' }],
  ])('of %i issues are cut short only when not all have been scanned', async (count, expected) => {
    const { list, store } = await openStream([eventOf('sought', '1', { level: 'fatal' })])
    copyIssue(store.connection, 1, count - 1)
    store.connection.exec(`UPDATE issues SET status = 'unresolved'`)
    const page = await list(scanned)
    expect(page).toMatchObject(expected)
    expect(page.nextCursor === undefined).toBe(page.cutShort === undefined)
  })

  it('by an order begin within a bound of that order', async () => {
    const { list, store } = await openStream([eventOf('sought', '1')])
    const setNumbers = (count: number, at: number) =>
      store.connection.exec(
        `UPDATE issues SET event_count = ${count}, user_count = ${count}, first_seen_at = ${at}, last_seen_at = ${at}
         WHERE number > 1 OR ${count} = 3`,
      )
    setNumbers(3, 9)
    copyIssue(store.connection, 1, limits.scannedIssues + 20)
    setNumbers(7, testNow)
    for (const [sort, text] of [
      ['last_seen', 'lastSeen:<2026-11-01'],
      ['first_seen', 'firstSeen:<2026-11-01'],
      ['events', 'timesSeen:<5'],
      ['users', 'users:<5'],
    ] as const) {
      const page = await list({ sort, ...search(`${text} !level:info`) })
      expect([text, page.issues.map(({ title, id }) => [title, id])]).toEqual([
        text,
        [['sought', idOf('sought')]],
      ])
      expect(page).not.toHaveProperty('cutShort')
    }
  })

  it('of a selective term show the few matches, however many other issues precede them', async () => {
    const { list, store } = await openStream([eventOf('sought', '1')])
    copyIssue(store.connection, 1, limits.scannedIssues + 20)
    const before = testNow - 60 * dayMs
    store.connection.exec(
      `UPDATE issues SET first_seen_at = ${before}, last_seen_at = ${before} WHERE level = 'error'`,
    )
    store.connection.exec(`UPDATE issues SET level = 'fatal', assignee_id = 'ada' WHERE number = 1`)
    store.connection.exec(
      `UPDATE issues SET first_seen_at = ${testNow}, last_seen_at = ${testNow} WHERE number = 1`,
    )
    for (const text of [
      'assigned:me',
      'assigned:[me, grace@example.com]',
      'timesSeen:1',
      'is:new',
      'lastSeen:>2026-11-01',
    ]) {
      const page = await list({ sort: 'events', ...search(text) })
      expect([text, page.issues.map(({ title, id }) => [title, id])]).toEqual([
        text,
        [['sought', idOf('sought')]],
      ])
      expect(page).not.toHaveProperty('cutShort')
    }
  })

  it.each([
    '',
    'x',
    '%00',
    'AAAA',
    'a'.repeat(5_000),
    issueCursors('users').format({ side: 'after', position: { value: 1, issueId: 1 } }),
  ])('begin with the first one for the broken cursor %j', async (cursor) => {
    const { list } = await openStream([eventOf('a', '1')])
    expect((await list({ cursor })).issues).toHaveLength(1)
  })
})
