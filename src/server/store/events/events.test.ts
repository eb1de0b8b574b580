import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import type { EventRecord } from '#server/store/ingest/records.ts'
import { findIssueDetail } from '#server/store/issues/detail.ts'
import { formatShortId, issueIdCandidate, parseIssueId } from '#server/store/issues/id.ts'
import { randomIdBytes } from '#test/random-id.ts'
import { createReadRounds } from '#test/read-rounds.ts'
import { makeEventRecord, openTestStore, testId, testNow, testProjectIds } from '#test/test-store.ts'
import { findEvent, findEventsByDigest, findLatestEvent } from './events.ts'
import { listTraceEvents, listTraceEventsWithPayloads } from './trace.ts'

const issueId = issueIdCandidate(1, testId('group'), 0)
const eventOf = (name: string, occurredAt = testNow, fields: Partial<EventRecord> = {}) =>
  makeEventRecord({
    eventId: testId(name),
    occurredAt,
    receivedAt: occurredAt,
    payload: Buffer.from(name),
    ...fields,
  })

async function openEvents(...events: EventRecord[]) {
  const rounds = createReadRounds()
  const store = await openTestStore({ readPlugins: [rounds.plugin] })
  for (const event of events) await store.commit(event)
  return { ...store, rounds }
}

const textOf = (payload?: Uint8Array) => Buffer.from(payload ?? []).toString()

describe('the latest event of an issue', () => {
  it('is the event with the latest time of occurrence, in any order of arrival', async () => {
    const { db } = await openEvents(
      eventOf('b', testNow, { clientAddress: '2001:db8::1', receivedAt: testNow }),
      eventOf('a', testNow - 1, { receivedAt: testNow + 1 }),
    )
    expect(await findLatestEvent(db, { projectId: 1, issueId })).toMatchObject({
      projectId: 1,
      eventId: testId('b'),
      receivedAt: testNow,
      clientAddress: '2001:db8::1',
      position: {
        previousEventId: testId('a'),
        firstEventId: testId('a'),
        latestEventId: testId('b'),
      },
    })
  })

  it('is undefined when the issue is unknown or in another project', async () => {
    const { db } = await openEvents(eventOf('a'))
    expect(await findLatestEvent(db, { projectId: 2, issueId })).toBeUndefined()
  })
})

describe('an event by its id', () => {
  it('has its neighbours when several occurred in the same millisecond', async () => {
    const names = ['a', 'b', 'c', 'd', 'e']
    const { db } = await openEvents(...names.map((name) => eventOf(name)), eventOf('late', testNow + 1))
    const order = [...names.map(testId).toSorted(), testId('late')]
    for (const [index, eventId] of order.entries()) {
      const found = await findEvent(db, { id: eventId, projectIds: testProjectIds })
      expect(found?.event.position.previousEventId).toBe(order[index - 1])
      expect(found?.event.position.nextEventId).toBe(order[index + 1])
      expect(found?.event.position).toMatchObject({ firstEventId: order[0], latestEventId: testId('late') })
    }
  })

  it('includes the number of events before and after it, up to a limit', async () => {
    const { db, writer } = await openEvents(eventOf('a', testNow), eventOf('b', testNow + 1))
    const placeOf = async (name: string) =>
      (await findEvent(db, { id: testId(name), projectIds: testProjectIds }))?.event.position
    expect(await placeOf('a')).toMatchObject({ earlierCount: 0, laterCount: 1 })
    await sql`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${limits.countedPosition})
      INSERT INTO events SELECT project_id, ${randomIdBytes}, issue_id, block_id, block_offset, block_length,
        occurred_at - 1, received_at, level, environment, release, user_hash, trace_id, client_address, tag_hashes, part_id, NULL
      FROM n, events WHERE occurred_at = ${testNow}`.execute(writer)
    expect(await placeOf('a')).toMatchObject({ earlierCount: limits.countedPosition, laterCount: 1 })
    expect(await placeOf('b')).toMatchObject({ laterCount: 0 })
    expect(await placeOf('b')).not.toHaveProperty('earlierCount')
  })

  it('includes the other events of its trace in accessible projects only', async () => {
    const traceId = testId('trace')
    const { db } = await openEvents(
      eventOf('a', testNow, { traceId }),
      eventOf('b', testNow - 5, {
        traceId,
        projectId: 2,
        title: 'RangeError',
        subtitle: 'Page 9 of 3',
        level: 'fatal',
      }),
      eventOf('c', testNow + 5, { traceId }),
      eventOf('other', testNow, { traceId: testId('another trace') }),
    )
    const read = (projectIds: number[]) => listTraceEvents(db, { eventId: testId('a'), traceId }, projectIds)
    expect(await read([1, 2])).toEqual([
      {
        eventId: testId('b'),
        issueId: String(issueIdCandidate(2, testId('group'), 0)),
        project: { id: 2, slug: 'api', name: 'Api' },
        title: 'RangeError',
        subtitle: 'Page 9 of 3',
        level: 'fatal',
        type: 'error',
        occurredAt: testNow - 5,
      },
      expect.objectContaining({ eventId: testId('c') }),
    ])
    expect((await read([1])).map(({ eventId }) => eventId)).toEqual([testId('c')])
    expect((await findEvent(db, { id: testId('a'), projectIds: [1] }))?.event.traceId).toBe(traceId)
    expect(await listTraceEvents(db, { eventId: testId('a') }, [1, 2])).toEqual([])
  })

  it('of a trace is listed with its payload, or without a damaged one', async () => {
    const traceId = testId('trace')
    const payloads = ['one', 'two', 'three'].map((text) => Buffer.from(text))
    const store = await openEvents(
      eventOf('a', testNow, { traceId, payload: payloads[0] }),
      eventOf('b', testNow + 1, { traceId, payload: payloads[1], projectId: 2 }),
      eventOf('c', testNow + 2, { traceId, payload: payloads[2] }),
    )
    const read = async (projectIds: number[]) => {
      const { listed, count } = await listTraceEventsWithPayloads(store.db, { traceId, projectIds })
      expect(count).toBe(listed.length)
      return listed.map(({ reference, payload }) => [reference.eventId, Buffer.from(payload).toString()])
    }
    const [a, b, c] = [testId('a'), testId('b'), testId('c')]
    expect(await read([1, 2])).toEqual([
      [a, 'one'],
      [b, 'two'],
      [c, 'three'],
    ])
    expect(await read([2])).toEqual([[b, 'two']])
    store.connection
      .prepare('UPDATE body_blocks SET data = ? WHERE project_id = 2')
      .run(Buffer.from('nonsense'))
    expect(await read([1, 2])).toEqual([
      [a, 'one'],
      [b, ''],
      [c, 'three'],
    ])
  })

  it('is found in whichever project, with its issue and its payload', async () => {
    const { db } = await openEvents(
      eventOf('a'),
      eventOf('b', testNow, { projectId: 2, title: 'RangeError' }),
    )
    const found = await findEvent(db, { id: testId('b'), projectIds: testProjectIds })
    expect(found?.issue).toMatchObject({
      title: 'RangeError',
      shortId: 'API-1',
      project: { id: 2, slug: 'api' },
    })
    expect(textOf(found?.event.payload)).toBe('b')
    expect(found?.event.clientAddress).toBeUndefined()
  })

  it('is the latest one when two projects have the same id', async () => {
    const { db } = await openEvents(eventOf('a', testNow + 1, { projectId: 2 }), eventOf('a'))
    expect((await findEvent(db, { id: testId('a'), projectIds: testProjectIds }))?.event.projectId).toBe(2)
  })

  it('is undefined when it does not exist', async () => {
    const { db } = await openEvents()
    expect(await findEvent(db, { id: testId('a'), projectIds: testProjectIds })).toBeUndefined()
  })
})

describe('a digest', () => {
  it('finds the events of every project whose ids have the prefix, newest first', async () => {
    const prefix = 'abcdef012345'
    const idOf = (end: string) => prefix + end.repeat(20)
    const { db } = await openEvents(
      eventOf('1', testNow, { eventId: idOf('0') }),
      eventOf('2', testNow + 2, {
        eventId: idOf('f'),
        projectId: 2,
        level: 'warning',
        title: 'Late',
        subtitle: 'By 9 s',
      }),
      eventOf('3', testNow + 1, { eventId: `abcdef012346${'0'.repeat(20)}` }),
      eventOf('4', testNow + 1, { eventId: `abcdef012344${'f'.repeat(20)}` }),
    )
    expect(await findEventsByDigest(db, { id: prefix, digest: prefix, projectIds: testProjectIds })).toEqual([
      {
        eventId: idOf('f'),
        issueId: String(issueIdCandidate(2, testId('group'), 0)),
        project: { id: 2, slug: 'api', name: 'Api' },
        title: 'Late',
        subtitle: 'By 9 s',
        level: 'warning',
        type: 'error',
        occurredAt: testNow + 2,
      },
      expect.objectContaining({ eventId: idOf('0'), project: { id: 1, slug: 'web', name: 'Web' } }),
    ])
    expect(
      await findEventsByDigest(db, { id: idOf('0'), digest: idOf('0'), projectIds: testProjectIds }),
    ).toHaveLength(1)
    expect(
      await findEventsByDigest(db, {
        id: 'abcdef0123457',
        digest: 'abcdef0123457',
        projectIds: testProjectIds,
      }),
    ).toHaveLength(0)
  })

  it('that is an id does not find events that carry it as the digest of another framework', async () => {
    const other = testId('other')
    const { db } = await openEvents(
      eventOf('1', testNow, { eventId: `abcdef012345${'0'.repeat(20)}` }),
      eventOf('2', testNow + 1, { eventId: other, digests: ['abcdef012345', '1135396951'] }),
    )
    const find = async (digest: string, id?: string) =>
      (await findEventsByDigest(db, { digest, id, projectIds: testProjectIds })).map(({ eventId }) => eventId)
    expect(await find('abcdef012345', 'abcdef012345')).toEqual([`abcdef012345${'0'.repeat(20)}`])
    expect(await find('1135396951')).toEqual([other])
  })

  it('finds at most one page of events', async () => {
    const events = Array.from({ length: 25 }, (_, index) =>
      eventOf(`${index}`, testNow + index, { eventId: `a`.repeat(30) + (index + 10) }),
    )
    const { db } = await openEvents(...events)
    expect(
      await findEventsByDigest(db, {
        id: 'aaaaaaaaaaaa',
        digest: 'aaaaaaaaaaaa',
        projectIds: testProjectIds,
      }),
    ).toHaveLength(limits.digestMatches)
  })
})

describe('the screen of an issue', () => {
  it('needs three rounds of statements', async () => {
    const tags: [string, string][] = [
      ['color', 'red'],
      ['size', 'small'],
    ]
    const traceId = testId('trace')
    const { db, rounds } = await openEvents(
      eventOf('a', testNow - 1, { tags }),
      eventOf('b', testNow, { tags, traceId }),
    )
    const read = () => findIssueDetail(db, { issueId, projectIds: testProjectIds, now: testNow })
    expect((await rounds.count(read)).roundCount).toBe(3)
    const detail = await read()
    expect(detail?.issue).toMatchObject({ id: String(issueId), eventCount: 2 })
    expect(textOf(detail?.event.payload)).toBe('b')
    expect(detail?.trend['24h'].counts.at(-1)).toBe(2)
    expect(detail?.tags.map((tag) => tag.key)).toEqual(['color', 'environment', 'size'])
  })

  it('shows of each tag the most frequent values', async () => {
    const events = Array.from({ length: 28 }, (_, index) => {
      const color = `c${Math.floor(Math.sqrt(index))}`
      return eventOf(`${index}`, testNow + index, { tags: index < 20 ? [['color', color]] : [] })
    })
    const { db } = await openEvents(...events)
    const tags = (await findIssueDetail(db, { issueId, projectIds: testProjectIds, now: testNow }))?.tags
    expect(tags?.map(({ key, eventCount, valueCount }) => [key, eventCount, valueCount])).toEqual([
      ['environment', 28, 1],
      ['color', 20, 5],
    ])
    expect(tags?.[1]?.values).toEqual([
      { value: 'c3', eventCount: 7, lastSeenAt: testNow + 15 },
      { value: 'c2', eventCount: 5, lastSeenAt: testNow + 8 },
      { value: 'c4', eventCount: 4, lastSeenAt: testNow + 19 },
      { value: 'c1', eventCount: 3, lastSeenAt: testNow + 3 },
      { value: 'c0', eventCount: 1, lastSeenAt: testNow },
    ])
  })

  it('is undefined when the issue does not exist', async () => {
    const { db } = await openEvents()
    expect(await findIssueDetail(db, { issueId, projectIds: testProjectIds, now: testNow })).toBeUndefined()
  })
})

describe('an issue id', () => {
  it('is read from a URL only when it is one', () => {
    expect(parseIssueId(String(issueId))).toBe(issueId)
    for (const text of ['', '-1', '1.5', '1e5', ' 1', 'NaN', '9007199254740993', '0x10', '１']) {
      expect(parseIssueId(text)).toBeUndefined()
    }
  })

  it('is a safe integer for every hash, and differs for every salt', () => {
    fc.assert(
      fc.property(fc.nat(), fc.string(), (projectId, hash) => {
        const ids = [0, 1, 2].map((salt) => issueIdCandidate(projectId, hash, salt))
        expect(ids.every(Number.isSafeInteger)).toBe(true)
        expect(new Set(ids).size).toBe(3)
      }),
    )
  })

  it('is formatted as a short id', () => {
    expect(formatShortId('checkout', 46)).toBe('CHECKOUT-1A')
  })
})
