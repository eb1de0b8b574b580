import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import type { EventRecord } from '#server/store/ingest/records.ts'
import { randomIdBytes } from '#test/random-id.ts'
import { makeEventRecord, openTestStore, testId, testNow } from '#test/test-store.ts'
import { eventCursors, listIssueEvents } from './event-list.ts'
import type { IssueEventsQuery } from './event-list.ts'
import { issueIdCandidate } from './id.ts'
import { tagHash } from './tag-hash.ts'

const issueId = issueIdCandidate(1, testId('group'), 0)

function eventOf(name: string, ageMs: number, fields: Partial<EventRecord> = {}): EventRecord {
  return makeEventRecord({
    eventId: testId(name),
    occurredAt: testNow - ageMs,
    payload: Buffer.from(name),
    ...fields,
  })
}

async function openEvents(events: EventRecord[]) {
  const statements: string[] = []
  const store = await openTestStore({ onStatement: (text) => statements.push(text) })
  for (const event of events) await store.commit(event)
  const list = (query: Partial<IssueEventsQuery> = {}) =>
    listIssueEvents(store.db, { projectId: 1, issueId, tags: [], limit: 2, ...query })
  const names = (page: Awaited<ReturnType<typeof list>>) =>
    page.events.map(({ payload }) => Buffer.from(payload).toString())
  return { ...store, statements, list, names }
}

const five = () => ['a', 'b', 'c', 'd', 'e'].map((name, index) => eventOf(name, index))

describe('the events of an issue', () => {
  it('are listed latest first, page by page in both directions, with one statement per page', async () => {
    const { list, names, statements } = await openEvents([...five(), eventOf('f', 3)])
    statements.length = 0
    const pages = [await list()]
    while (pages.at(-1)?.nextCursor !== undefined) {
      pages.push(await list({ cursor: pages.at(-1)?.nextCursor ?? '' }))
    }
    expect(statements).toHaveLength(pages.length)
    const tied = ['d', 'f'].toSorted((one, other) => (testId(one) < testId(other) ? 1 : -1))
    expect(pages.map(names)).toEqual([
      ['a', 'b'],
      ['c', tied[0]],
      [tied[1], 'e'],
    ])
    expect(pages[0]?.previousCursor).toBeUndefined()
    const middle = await list({ cursor: pages[2]?.previousCursor ?? '' })
    expect(names(middle)).toEqual(names(pages[1] ?? { events: [] }))
    expect(middle).toMatchObject({ nextCursor: pages[1]?.nextCursor })
    const first = await list({ cursor: middle.previousCursor ?? '' })
    expect(names(first)).toEqual(['a', 'b'])
    expect(first.previousCursor).toBeUndefined()
  })

  it('can be limited to a time range, and may be empty', async () => {
    const { list, names } = await openEvents(five())
    expect(names(await list({ since: testNow - 2, until: testNow, limit: 9 }))).toEqual(['b', 'c'])
    expect(await list({ since: testNow + 1 })).toEqual({ events: [] })
    expect(await list({ issueId: 1 })).toEqual({ events: [] })
  })

  it('can be those with each of some tags, the environment and the release among them', async () => {
    const tags: [string, string][] = [
      ['region', 'eu'],
      ['release', 'web@1'],
    ]
    const { list, names } = await openEvents([
      eventOf('a', 1, { tags }),
      eventOf('b', 2, { tags: [['region', 'us']] }),
      eventOf('c', 3, { tags, environment: 'staging' }),
    ])
    expect(names(await list({ tags: [['region', 'eu']] }))).toEqual(['a', 'c'])
    expect(
      names(
        await list({
          tags: [
            ['region', 'eu'],
            ['environment', 'staging'],
          ],
        }),
      ),
    ).toEqual(['c'])
    expect(names(await list({ tags: [['release', 'web@1']], limit: 1 }))).toEqual(['a'])
    expect(await list({ tags: [['region', 'mars']] })).toEqual({ events: [] })
  })

  it('are scanned for a tag up to a limit per page, and the next page continues there', async () => {
    const { list, names, writer } = await openEvents([
      eventOf('first', limits.issueEventsSearched + 10, { tags: [['rare', 'yes']] }),
      eventOf('last', 0),
    ])
    await sql`
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${limits.issueEventsSearched + 5})
      INSERT INTO events SELECT project_id, ${randomIdBytes}, issue_id, block_id, block_offset, block_length,
        occurred_at - i, received_at, level, environment, release, user_hash, trace_id, client_address,
        ${tagHash(['rare', 'no'])}, NULL, NULL
      FROM n, events WHERE event_id = ${Buffer.from(testId('last'), 'hex')}`.execute(writer)
    const tags = [['rare', 'yes']] as const
    const nothing = await list({ tags })
    expect(nothing.events).toEqual([])
    expect(nothing.searchedTo).toBe(testNow - limits.issueEventsSearched + 1)
    const rest = await list({ tags, cursor: nothing.nextCursor ?? '' })
    expect(names(rest)).toEqual(['first'])
    expect(rest.searchedTo).toBeUndefined()
    expect(names(await list({ tags: [['rare', 'no']] }))).toHaveLength(2)
    const back = await list({
      tags,
      cursor: eventCursors.format({
        side: 'before',
        position: { occurredAt: 0, eventId: testId('x') },
      }),
    })
    expect(names(back)).toEqual(['first'])
    expect(back.previousCursor).toBeDefined()
  })
})
