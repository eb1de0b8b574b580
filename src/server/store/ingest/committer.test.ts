import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { findEvent } from '#server/store/events/events.ts'
import { issueIdCandidate } from '#server/store/issues/id.ts'
import { listOutcomeSteps } from '#server/store/outcomes/outcomes.ts'
import { onPostgres } from '#test/engine.ts'
import { makeEventRecord, openTestStore, testId, testNow, entryOf, testProjectIds } from '#test/test-store.ts'
import { pause } from '#test/waiting.ts'
import { hourMs, hourOf, minuteMs } from '#time/time-steps.ts'
import { createCommitter } from './committer.ts'
import type { EventRecord } from './records.ts'

const eventOf = (name: string, fields: Partial<EventRecord> = {}) =>
  makeEventRecord({ eventId: testId(name), payload: Buffer.from(`{"name":"${name}"}`), ...fields })

/** A record that no parser produces: simulates a bug of our own code. */
const poisoned = (name: string) => eventOf(name, { level: null as unknown as 'error' })

async function openCommitter() {
  const store = await openTestStore()
  const count = (sql: string) => Number(Object.values(store.connection.prepare(sql).get() ?? {})[0])
  const outcomes = async () => {
    const rows = await listOutcomeSteps(store.db, { projectIds: [1], since: 0, stepMs: hourMs })
    return Object.fromEntries(rows.map((row) => [`${row.outcome}/${row.reason}`, row.quantity]))
  }
  return { store, committer: createCommitter(store), count, outcomes }
}

describe('a commit', () => {
  it('is on disk and visible to another connection when it resolves', async () => {
    const { store, committer } = await openCommitter()
    const other = await store.openAgain()
    await expect(committer.commit(entryOf(eventOf('a')))).resolves.toEqual({ events: ['accepted'] })
    const found = await findEvent(other.db, { id: testId('a'), projectIds: testProjectIds })
    expect(Buffer.from(found?.event.payload ?? []).toString()).toBe('{"name":"a"}')
  })

  it('writes simultaneous batches in one transaction and one block per project', async () => {
    const { committer, count, store } = await openCommitter()
    const entries = Array.from({ length: 40 }, (_, index) =>
      entryOf(eventOf(`e${index}`, { projectId: (index % 2) + 1 })),
    )
    await Promise.all(entries.map((entry) => committer.commit(entry)))
    expect(count('SELECT count(*) FROM body_blocks')).toBe(2)
    expect(count('SELECT sum(event_count) FROM body_blocks')).toBe(40)
    const found = await findEvent(store.db, { id: testId('e39'), projectIds: testProjectIds })
    expect(Buffer.from(found?.event.payload ?? []).toString()).toBe('{"name":"e39"}')
  })

  it('puts entries that arrive during a transaction into the next one', async () => {
    const { committer, count } = await openCommitter()
    const second = committer.commit(entryOf(eventOf('a'))).then(() => committer.commit(entryOf(eventOf('b'))))
    await Promise.all([second, committer.drain()])
    await committer.drain()
    expect(count('SELECT count(*) FROM body_blocks')).toBe(2)
  })

  it('accepts batches after a drain, even a drain without batches', async () => {
    const { committer } = await openCommitter()
    await committer.drain()
    for (const name of ['a', 'b']) {
      await expect(committer.commit(entryOf(eventOf(name)))).resolves.toEqual({ events: ['accepted'] })
      await committer.drain()
      await committer.drain()
    }
  })

  it('bounds a transaction, and a block, by bytes', async () => {
    const { committer, count } = await openCommitter()
    const payload = Buffer.alloc(700_000, 'x')
    const entries = Array.from({ length: 30 }, (_, index) => entryOf(eventOf(`e${index}`, { payload })))
    await Promise.all(entries.map((entry) => committer.commit(entry)))
    expect(count('SELECT max(raw_bytes) FROM body_blocks')).toBe(700_000)
    expect(count('SELECT sum(raw_bytes) FROM body_blocks')).toBe(21_000_000)
  })

  it('accepts an envelope without rows, and stores rows without an event', async () => {
    const { committer, outcomes, count } = await openCommitter()
    await expect(committer.commit(entryOf())).resolves.toEqual({ events: [] })
    await committer.commit({
      events: [],
      outcomes: [
        {
          projectId: 1,
          category: 'error',
          outcome: 'filtered',
          reason: 'localhost',
          quantity: 3,
          at: testNow,
        },
        {
          projectId: 1,
          category: 'error',
          outcome: 'filtered',
          reason: 'localhost',
          quantity: 2,
          at: testNow,
        },
      ],
      deadLetters: [
        {
          projectId: 1,
          itemType: 'event',
          category: 'error',
          reason: 'boom',
          receivedAt: testNow,
          payload: Buffer.from('raw'),
        },
      ],
    })
    expect(await outcomes()).toEqual({ 'filtered/localhost': 5 })
    expect(count('SELECT length(payload) FROM dead_letters')).toBe(3)
  })

  it('stores an empty payload', async () => {
    const { committer, store } = await openCommitter()
    await committer.commit(entryOf(eventOf('a', { payload: new Uint8Array() })))
    expect(
      (await findEvent(store.db, { id: testId('a'), projectIds: testProjectIds }))?.event.payload,
    ).toHaveLength(0)
  })
})

describe('a duplicate', () => {
  it('is reported, counted and stored once, in the same batch and later', async () => {
    const { committer, count, outcomes } = await openCommitter()
    const together = await Promise.all([
      committer.commit(entryOf(eventOf('a'), eventOf('a'))),
      committer.commit(entryOf(eventOf('a'))),
    ])
    expect(together.map((result) => result.events)).toEqual([['accepted', 'duplicate'], ['duplicate']])
    await expect(committer.commit(entryOf(eventOf('a')))).resolves.toEqual({ events: ['duplicate'] })
    expect(count('SELECT count(*) FROM events')).toBe(1)
    expect(count('SELECT event_count FROM issues')).toBe(1)
    expect(await outcomes()).toEqual({ 'accepted/': 1, 'invalid/duplicate': 3 })
  })

  it('creates no issue when its group hash differs', async () => {
    const { committer, count } = await openCommitter()
    await committer.commit(entryOf(eventOf('a')))
    await committer.commit(entryOf(eventOf('a', { groupHash: testId('another group') })))
    expect(count('SELECT count(*) FROM issues')).toBe(1)
    expect(count('SELECT count(*) FROM issue_hashes')).toBe(1)
    expect(count('SELECT count(*) FROM body_blocks')).toBe(1)
  })

  it('is not an event of another project with the same event id', async () => {
    const { committer } = await openCommitter()
    const result = await committer.commit(entryOf(eventOf('a'), eventOf('a', { projectId: 2 })))
    expect(result.events).toEqual(['accepted', 'accepted'])
  })
})

/** An event this many minutes from now, identified by its title. */
function at(minutes: number, title: string, release?: string): EventRecord {
  const occurredAt = testNow + minutes * minuteMs
  return eventOf(title, { occurredAt, title, culprit: title, release })
}

describe('an issue', () => {
  it('shows its latest event and stores the first and last times', async () => {
    const { committer, store } = await openCommitter()
    await committer.commit(entryOf(at(0, 'first', 'a@1'), at(2, 'late')))
    await committer.commit(entryOf(at(1, 'between', 'a@2')))
    await committer.commit(entryOf(at(-1, 'earlier', 'a@0')))
    const row = store.connection.prepare('SELECT * FROM issues').get()
    expect(row).toMatchObject({ title: 'late', culprit: 'late', event_count: 4, number: 1 })
    expect(row).toMatchObject({ first_seen_at: testNow - 60_000, last_seen_at: testNow + 120_000 })
    expect(row).toMatchObject({ first_release: 'a@0', status: 'unresolved' })
    expect(Buffer.from(row?.['first_event_id'] as Uint8Array).toString('hex')).toBe(testId('earlier'))
    expect(Buffer.from(row?.['latest_event_id'] as Uint8Array).toString('hex')).toBe(testId('late'))
  })

  it('is numbered within its project', async () => {
    const { committer, store } = await openCommitter()
    const events = ['a', 'b', 'c', 'd'].map((name, index) =>
      eventOf(name, { groupHash: testId(name), projectId: (index % 2) + 1 }),
    )
    await committer.commit(entryOf(...events))
    const rows = store.connection.prepare('SELECT project_id, number FROM issues ORDER BY 1, 2').all()
    expect(rows.map((row) => Object.values(row))).toEqual([
      [1, 1],
      [1, 2],
      [2, 1],
      [2, 2],
    ])
  })

  it('receives another id when its first candidate belongs to another issue', async () => {
    const { committer, count, store } = await openCommitter()
    await committer.commit(entryOf(eventOf('a')))
    const wanted = issueIdCandidate(2, testId('b'), 0)
    store.connection.exec(`UPDATE issues SET id = ${wanted}; UPDATE issue_hashes SET issue_id = ${wanted}`)
    await committer.commit(entryOf(eventOf('b', { projectId: 2, groupHash: testId('b') })))
    expect(count('SELECT id FROM issues WHERE project_id = 2')).toBe(issueIdCandidate(2, testId('b'), 1))
    expect(count('SELECT event_count FROM issues WHERE project_id = 1')).toBe(1)
  })

  it('includes events of a newer mechanism if it has their earlier hash', async () => {
    const { committer, count } = await openCommitter()
    const newer = (name: string, earlier: string) =>
      eventOf(name, { groupHash: testId(name), mechanism: 'v2', earlierGroupHash: testId(earlier) })
    await committer.commit(entryOf(eventOf('v1 event', { groupHash: testId('old') })))
    await committer.commit(
      entryOf(newer('a', 'old'), newer('b', 'old'), newer('c', 'none'), newer('d', 'none')),
    )
    await committer.drain()
    expect(count('SELECT count(*) FROM issues')).toBe(3)
    expect(count("SELECT event_count FROM issues WHERE mechanism = 'v1'")).toBe(3)
  })

  it('includes the events of every hash that points to it', async () => {
    const { committer, count, store } = await openCommitter()
    await committer.commit(
      entryOf(eventOf('a', { groupHash: testId('a') }), eventOf('b', { groupHash: testId('b') })),
    )
    store.connection.exec('UPDATE issue_hashes SET issue_id = (SELECT min(issue_id) FROM issue_hashes)')
    await committer.commit(
      entryOf(eventOf('c', { groupHash: testId('a') }), eventOf('d', { groupHash: testId('b') })),
    )
    expect(count('SELECT max(event_count) FROM issues')).toBe(3)
  })

  it('is created again when it was deleted and its hash was not', async () => {
    const { committer, count, store } = await openCommitter()
    await committer.commit(entryOf(eventOf('a')))
    store.connection.exec('DELETE FROM issues')
    await committer.commit(entryOf(eventOf('b')))
    expect(count('SELECT number FROM issues')).toBe(2)
  })
})

describe('a poisoned event', () => {
  it('becomes a dead letter and does not affect the others', async () => {
    const { committer, count, outcomes } = await openCommitter()
    const results = await Promise.all([
      committer.commit(entryOf(eventOf('a'))),
      committer.commit(entryOf(eventOf('b'), poisoned('c'), eventOf('d'))),
      committer.commit(entryOf(eventOf('e', { traceId: 'no id' }))),
      committer.commit(entryOf(eventOf('f', { groupHash: testId('f') }))),
    ])
    expect(results.map((result) => result.events)).toEqual([
      ['accepted'],
      ['accepted', 'dead_letter', 'accepted'],
      ['dead_letter'],
      ['accepted'],
    ])
    expect(count('SELECT count(*) FROM events')).toBe(4)
    expect(count('SELECT sum(event_count) FROM issues')).toBe(4)
    expect(count('SELECT sum(event_count) FROM issue_hours')).toBe(4)
    expect(count('SELECT count(*) FROM dead_letters')).toBe(2)
    expect(await outcomes()).toEqual({ 'accepted/': 4, 'invalid/internal': 2 })
  })

  it('has a project that does not exist', async () => {
    const { committer, count } = await openCommitter()
    const result = await committer.commit(entryOf(eventOf('a', { projectId: 9 })))
    expect(result.events).toEqual(['dead_letter'])
    expect(count('SELECT count(*) FROM issues')).toBe(0)
  })

  it('that cannot be stored as a dead letter is rejected alone', async () => {
    const { committer, count } = await openCommitter()
    const hopeless = committer.commit(entryOf(eventOf('a', { projectId: Number.NaN })))
    const neighbour = committer.commit(entryOf(eventOf('b')))
    await expect(hopeless).rejects.toThrow(/NOT NULL|invalid input syntax/)
    await expect(neighbour).resolves.toEqual({ events: ['accepted'] })
    expect(count('SELECT count(*) FROM events')).toBe(1)
  })

  it('does not affect later counters', async () => {
    const { committer, count } = await openCommitter()
    const tags: [string, string][] = [['color', 'red']]
    await Promise.all([
      committer.commit(entryOf(eventOf('a', { tags }))),
      committer.commit(entryOf(eventOf('b', { tags: [['color', null as unknown as string]] }))),
    ])
    await committer.commit(entryOf(eventOf('c', { tags })))
    expect(count(`SELECT event_count FROM issue_tags WHERE key = 'color'`)).toBe(2)
    expect(count('SELECT event_count FROM issues')).toBe(2)
  })
})

describe('a store that cannot write', () => {
  it.skipIf(onPostgres)('rejects all batches on a full disk, stores nothing, and recovers', async () => {
    const { committer, count, store } = await openCommitter()
    // Random bytes do not compress.
    const payload = randomBytes(400_000)
    store.connection.exec(`PRAGMA max_page_count = ${count('PRAGMA page_count') + 4}`)
    const entries = [entryOf(eventOf('a', { payload })), entryOf(eventOf('b'))]
    const results = await Promise.allSettled(entries.map((entry) => committer.commit(entry)))
    for (const result of results) {
      expect(result).toMatchObject({
        status: 'rejected',
        reason: { name: 'StoreUnavailableError', reason: 'FULL' },
      })
    }
    expect(count('SELECT count(*) FROM events') + count('SELECT count(*) FROM issues')).toBe(0)
    store.connection.exec('PRAGMA max_page_count = 1000000')
    await expect(committer.commit(entryOf(eventOf('a')))).resolves.toEqual({ events: ['accepted'] })
  })

  it('waits while another process locks the file, without blocking the event loop', async () => {
    const { committer, store } = await openCommitter()
    const other = await store.openAgain()
    other.connection.exec('BEGIN IMMEDIATE')
    const committing = committer.commit(entryOf(eventOf('a')))
    const startedAt = performance.now()
    for (let turn = 0; turn < 20; turn += 1) await pause(5)
    // A blocked event loop would wait for the whole time, and a busy machine for less.
    expect(performance.now() - startedAt).toBeLessThan(limits.storeBusyMs / 2)
    expect(store.condition.findProblem()).toBeUndefined()
    other.connection.exec('ROLLBACK')
    await expect(committing).resolves.toEqual({ events: ['accepted'] })
  })

  it('rejects batches after it is closed', async () => {
    const { committer, store } = await openCommitter()
    await store.close()
    await expect(committer.commit(entryOf(eventOf('a')))).rejects.toMatchObject({ reason: 'CLOSED' })
  })
})

const tagged = (index: number) => eventOf(`e${index}`, { tags: [['page', `value ${index}`]] })

describe('counting', () => {
  it('counts events in the hour of their receipt, by environment', async () => {
    const { committer, store } = await openCommitter()
    const later = testNow + hourMs
    await committer.commit(
      entryOf(
        eventOf('a'),
        eventOf('b', { occurredAt: later }),
        eventOf('c', { occurredAt: later, receivedAt: later, environment: 'staging' }),
      ),
    )
    const rows = store.connection.prepare('SELECT hour, environment, event_count FROM issue_hours').all()
    expect(rows.map((row) => Object.values(row))).toEqual([
      [hourOf(testNow), 'production', 1],
      [hourOf(later), 'production', 1],
      [hourOf(later), 'staging', 1],
    ])
  })

  it('counts tag values past the cap together', async () => {
    const { committer, count } = await openCommitter()
    const events = Array.from({ length: 1_050 }, (_, index) => tagged(index))
    await Promise.all(events.slice(0, 1_020).map((event) => committer.commit(entryOf(event))))
    await Promise.all(events.slice(1_020).map((event) => committer.commit(entryOf(event))))
    await committer.commit(entryOf({ ...tagged(3), eventId: testId('again') }))
    await committer.drain()
    expect(count(`SELECT count(*) FROM issue_tags WHERE key = 'page'`)).toBe(1_001)
    expect(count(`SELECT event_count FROM issue_tags WHERE key = 'page' AND value = '(other)'`)).toBe(50)
    expect(count(`SELECT event_count FROM issue_tags WHERE key = 'page' AND value = 'value 3'`)).toBe(2)
  })

  it('uses the environment of the event, not of a tag', async () => {
    const { committer, store } = await openCommitter()
    await committer.commit(entryOf(eventOf('a', { environment: 'staging', tags: [['environment', 'lie']] })))
    const rows = store.connection.prepare('SELECT key, value FROM issue_tags').all()
    expect(rows).toEqual([{ key: 'environment', value: 'staging' }])
  })
})
