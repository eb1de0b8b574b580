import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeEventRecord, openTestStore, testId, testNow, type TestStore } from '#test/test-store.ts'
import { hourMs } from '#time/time-steps.ts'
import { createCommitter } from './committer.ts'
import type { EventRecord } from './records.ts'

const records: fc.Arbitrary<EventRecord> = fc
  .record({
    projectId: fc.constantFrom(1, 2),
    eventNumber: fc.nat(60),
    group: fc.constantFrom('a', 'b', 'c'),
    hoursAgo: fc.nat(5),
    environment: fc.constantFrom('production', 'staging'),
    release: fc.constantFrom(undefined, 'web@1', 'web@2'),
    userKey: fc.constantFrom(undefined, 'id:1', 'id:2', 'id:3'),
    color: fc.constantFrom('red', 'green'),
    isPoisoned: fc.integer({ min: 0, max: 30 }).map((number) => number === 0),
  })
  .map(({ eventNumber, group, hoursAgo, release, userKey, color, isPoisoned, ...fields }) =>
    makeEventRecord({
      ...fields,
      eventId: testId(`event ${eventNumber}`),
      groupHash: testId(group),
      title: isPoisoned ? (undefined as unknown as string) : `Error ${eventNumber}`,
      occurredAt: testNow - hoursAgo * hourMs + eventNumber,
      receivedAt: testNow - (hoursAgo % 3) * hourMs,
      tags: [['color', color]],
      payload: Buffer.from(`payload ${eventNumber}`),
      release,
      userKey,
    }),
  )

/** Compares each counter with the same number counted from the rows of `events`; no query may return rows. */
const contradictions = {
  'events of issues': `SELECT i.id FROM issues i WHERE i.event_count <> (
    SELECT count(*) FROM events e WHERE e.project_id = i.project_id AND e.issue_id = i.id)`,
  'events without issue': `SELECT e.issue_id FROM events e WHERE NOT EXISTS (
    SELECT 1 FROM issues i WHERE e.project_id = i.project_id AND e.issue_id = i.id)`,
  'users of issues': `SELECT i.id FROM issues i WHERE i.user_count <> (
    SELECT count(DISTINCT e.user_hash) FROM events e WHERE e.project_id = i.project_id AND e.issue_id = i.id)`,
  'users of projects': `SELECT project_id, user_count FROM project_user_counts
    EXCEPT SELECT project_id, count(DISTINCT user_hash) FROM events GROUP BY 1`,
  'users of projects missing': `SELECT project_id, count(DISTINCT user_hash) AS user_count FROM events
    GROUP BY 1 HAVING count(DISTINCT user_hash) > 0
    EXCEPT SELECT project_id, user_count FROM project_user_counts`,
  'first and last seen': `SELECT i.id FROM issues i WHERE (i.first_seen_at, i.last_seen_at) <> (
    SELECT min(occurred_at), max(occurred_at) FROM events e
    WHERE e.project_id = i.project_id AND e.issue_id = i.id)`,
  'latest event': `SELECT i.id FROM issues i WHERE i.latest_event_id <> (
    SELECT event_id FROM events e WHERE e.project_id = i.project_id AND e.issue_id = i.id
    ORDER BY occurred_at DESC, event_id DESC LIMIT 1)`,
  'first event': `SELECT i.id FROM issues i WHERE i.first_event_id <> (
    SELECT event_id FROM events e WHERE e.project_id = i.project_id AND e.issue_id = i.id
    ORDER BY occurred_at, event_id LIMIT 1)`,
  hours: `SELECT project_id, issue_id, hour, environment, event_count FROM issue_hours
    EXCEPT SELECT project_id, issue_id, occurred_at - occurred_at % ${hourMs}, environment, count(*)
    FROM events GROUP BY 1, 2, 3, 4`,
  'hours missing': `SELECT project_id, issue_id, occurred_at - occurred_at % ${hourMs}, environment, count(*)
    FROM events GROUP BY 1, 2, 3, 4
    EXCEPT SELECT project_id, issue_id, hour, environment, event_count FROM issue_hours`,
  'environment tags': `SELECT project_id, issue_id, value, event_count, last_seen_at FROM issue_tags
    WHERE key = 'environment'
    EXCEPT SELECT project_id, issue_id, environment, count(*), max(occurred_at) FROM events GROUP BY 1, 2, 3`,
  'other tags': `SELECT i.id FROM issues i WHERE i.event_count <> (SELECT sum(event_count) FROM issue_tags t
    WHERE t.project_id = i.project_id AND t.issue_id = i.id AND key = 'color')`,
  releases: `SELECT project_id, version, event_count, first_seen_at, last_seen_at FROM releases
    EXCEPT SELECT project_id, release, count(*), min(occurred_at), max(occurred_at) FROM events GROUP BY 1, 2`,
  environments: `SELECT project_id, name, event_count, first_seen_at, last_seen_at FROM environments
    EXCEPT SELECT project_id, environment, count(*), min(occurred_at), max(occurred_at) FROM events GROUP BY 1, 2`,
  outcomes: `SELECT project_id, hour, quantity FROM outcome_hours WHERE outcome = 'accepted'
    EXCEPT SELECT project_id, received_at - received_at % ${hourMs}, count(*) FROM events GROUP BY 1, 2`,
  blocks: `SELECT b.id FROM body_blocks b WHERE (b.event_count, b.raw_bytes) <> (
    SELECT count(*), sum(block_length) FROM events e WHERE e.project_id = b.project_id AND e.block_id = b.id)`,
  'poisoned events': `SELECT 1 WHERE (SELECT count(*) FROM dead_letters) <> (
    SELECT coalesce(sum(quantity), 0) FROM outcome_hours WHERE reason = 'internal')`,
}

function findContradictions(store: TestStore): string[] {
  return Object.entries(contradictions)
    .filter(([, sql]) => store.connection.prepare(sql).all().length > 0)
    .map(([name]) => name)
}

describe('after any traffic', () => {
  it('the counters agree with the rows, and the rows with the answers', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(records, { maxLength: 30 }), { maxLength: 5 }), async (batches) => {
        const store = await openTestStore()
        // Two committers, like two processes. The clock does not advance, so that all counting is deferred
        // after the first events.
        const committers = [createCommitter(store), createCommitter(await store.openAgain())] as const
        let acceptedCount = 0
        for (const [index, batch] of batches.entries()) {
          const committer = index % 2 === 0 ? committers[0] : committers[1]
          const entries = batch.map((event) => ({ events: [event], outcomes: [], deadLetters: [] }))
          const results = await Promise.all(entries.map((entry) => committer.commit(entry)))
          acceptedCount += results.filter((result) => result.events[0] === 'accepted').length
        }
        for (const committer of committers) await committer.drain()
        expect(findContradictions(store)).toEqual([])
        expect(store.connection.prepare('SELECT count(*) AS n FROM events').get()).toEqual({
          n: acceptedCount,
        })
        await store.close()
      }),
      { numRuns: 25 },
    )
  }, 120_000)
})
