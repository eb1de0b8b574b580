import { describe, expect, it } from 'vitest'
import { makeEventRecord, openTestStore, testId, testNow, entryOf } from '#test/test-store.ts'
import type { TestStore } from '#test/test-store.ts'
import { createCommitter } from './committer.ts'
import type { CommitEntry, EventRecord } from './records.ts'

const spikeProtection = { isOn: true, fullEvents: 10, windowSeconds: 3_600, sampleEvery: 20 }

/** Event `number` of an issue under guard, a millisecond after the one before. */
function eventOf(number: number, fields: Partial<EventRecord> = {}): EventRecord {
  return makeEventRecord({
    eventId: testId(`event ${number}`),
    occurredAt: testNow + number,
    userKey: `id:${number % 7}`,
    release: 'web@1',
    tags: [['color', number % 2 === 0 ? 'red' : 'green']],
    spikeProtection,
    ...fields,
  })
}

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at)

function rowsOf(store: TestStore, sql: string): unknown[] {
  return store.connection.prepare(sql).all()
}

async function flood(store: TestStore, entries: CommitEntry[]) {
  const committer = createCommitter(store)
  const results = await Promise.all(entries.map((entry) => committer.commit(entry)))
  await committer.drain()
  return results.flatMap(({ events }) => events)
}

describe('an issue with more events than are stored', () => {
  it('counts every one, and keeps the first ones and samples', async () => {
    const store = await openTestStore()
    const results = await flood(
      store,
      numbers(100).map((number) => entryOf(eventOf(number))),
    )
    expect(results.filter((result) => result === 'accepted')).toHaveLength(10 + 4)
    expect(results.filter((result) => result === 'counted')).toHaveLength(86)
    expect(results.slice(0, 10)).toEqual(numbers(10).map(() => 'accepted'))
    expect(rowsOf(store, 'SELECT count(*) AS n FROM events')).toEqual([{ n: 14 }])
    expect(rowsOf(store, 'SELECT event_count, expired_event_count, user_count FROM issues')).toEqual([
      { event_count: 100, expired_event_count: 86, user_count: 7 },
    ])
    expect(rowsOf(store, 'SELECT sum(event_count) AS n FROM issue_hours')).toEqual([{ n: 100 }])
    expect(rowsOf(store, "SELECT value, event_count FROM issue_tags WHERE key = 'color'")).toEqual([
      { value: 'green', event_count: 50 },
      { value: 'red', event_count: 50 },
    ])
    expect(rowsOf(store, 'SELECT event_count FROM releases')).toEqual([{ event_count: 100 }])
    expect(rowsOf(store, 'SELECT outcome, reason, quantity FROM outcome_hours ORDER BY reason')).toEqual([
      { outcome: 'accepted', reason: '', quantity: 14 },
      { outcome: 'accepted', reason: 'spike_protection', quantity: 86 },
    ])
  })

  it('does not affect other issues', async () => {
    const store = await openTestStore()
    const entries = numbers(110).map((number) =>
      entryOf(number % 11 === 0 ? eventOf(number, { groupHash: testId('other') }) : eventOf(number)),
    )
    await flood(store, entries)
    expect(
      rowsOf(
        store,
        `SELECT i.event_count, count(*) AS kept FROM issues i
        JOIN events e ON e.project_id = i.project_id AND e.issue_id = i.id GROUP BY i.project_id, i.id, i.event_count ORDER BY 1`,
      ),
    ).toEqual([
      { event_count: 10, kept: 10 },
      { event_count: 100, kept: 14 },
    ])
  })

  it('uses only stored events as first and latest', async () => {
    const store = await openTestStore()
    await flood(store, [entryOf(...numbers(12).map((number) => eventOf(number)))])
    const committer = createCommitter(store)
    const early = eventOf(-1)
    expect(await committer.commit(entryOf(early))).toEqual({ events: ['accepted'] })
    expect(
      rowsOf(
        store,
        `SELECT count(*) AS n FROM issues i
        JOIN events first ON first.event_id = i.first_event_id AND first.occurred_at = i.first_seen_at
        JOIN events latest ON latest.event_id = i.latest_event_id AND latest.occurred_at = i.last_seen_at`,
      ),
    ).toEqual([{ n: 1 }])
  })

  it('recognizes a stored event that is sent again', async () => {
    const store = await openTestStore()
    const entries = [...numbers(15), 3].map((number) => entryOf(eventOf(number)))
    expect((await flood(store, entries)).at(-1)).toBe('duplicate')
    expect(rowsOf(store, 'SELECT event_count FROM issues')).toEqual([{ event_count: 15 }])
  })

  it('drops the attachments of an event that is not stored', async () => {
    const store = await openTestStore()
    const entries = numbers(12).map((number) => {
      const event = eventOf(number)
      const { projectId, eventId, receivedAt } = event
      const attachment = {
        projectId,
        eventId,
        receivedAt,
        name: 'a.txt',
        contentType: 'text/plain',
        kind: 'event.attachment',
        byteCount: 1,
        contentHash: testId('a'),
        data: Buffer.from('a'),
      }
      return { events: [event], outcomes: [], deadLetters: [], attachments: [attachment] }
    })
    await flood(store, entries)
    expect(
      rowsOf(
        store,
        "SELECT outcome, reason, quantity FROM outcome_hours WHERE category = 'attachment' ORDER BY 1",
      ),
    ).toEqual([
      { outcome: 'accepted', reason: '', quantity: 10 },
      { outcome: 'rate_limited', reason: 'spike_protection', quantity: 2 },
    ])
  })

  it('is reopened immediately when it was resolved', async () => {
    const store = await openTestStore()
    const committer = createCommitter(store)
    await committer.commit(entryOf(...numbers(15).map((number) => eventOf(number))))
    store.connection.exec(`UPDATE issues SET status = 'resolved', status_changed_at = ${testNow + 500}`)
    expect(await committer.commit(entryOf(eventOf(1_000)))).toEqual({ events: ['counted'] })
    expect(rowsOf(store, 'SELECT status FROM issues')).toEqual([{ status: 'unresolved' }])
  })

  it('is created again by the next event when it was deleted and its hash was not', async () => {
    const store = await openTestStore()
    const committer = createCommitter(store)
    await committer.commit(entryOf(...numbers(15).map((number) => eventOf(number))))
    store.connection.exec('DELETE FROM issues; DELETE FROM events')
    expect(await committer.commit(entryOf(eventOf(16), eventOf(17)))).toEqual({
      events: ['accepted', 'counted'],
    })
    expect(rowsOf(store, 'SELECT event_count FROM issues')).toEqual([{ event_count: 2 }])
  })
})
