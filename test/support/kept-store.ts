import { toBytes } from '#server/retention/expiry/walked-block.ts'
import { runRetention, type RetentionOptions } from '#server/retention/run-retention.ts'
import { createCommitter } from '#server/store/ingest/committer.ts'
import type { CommitEntry, EventRecord } from '#server/store/ingest/records.ts'
import { updateProjectSettings, type RetentionSettings } from '#server/store/projects/settings.ts'
import type { Store } from '#server/store/store.ts'
import { recordMerge } from '#server/store/triage/merge.ts'
import { dayMs } from '#time/time-steps.ts'
import { entryOf, makeEventRecord, openTestStore, testId, testNow, testProjectIds } from './test-store.ts'

/** A store with a manual clock, and the runs of retention on it. */
export async function openKeptStore() {
  let now = testNow
  const store = await openTestStore({ clock: () => now })
  const committer = createCommitter(store)
  let made = 0

  /** Events that arrive now, in one transaction; each has a unique id by default. */
  const receive = async (...events: Partial<EventRecord>[]) => {
    const records = events.map((fields) => {
      made += 1
      const eventId = fields.eventId ?? testId(`event ${made}`)
      const payload = Buffer.from(JSON.stringify({ event_id: eventId, made }))
      return makeEventRecord({ occurredAt: now, receivedAt: now, payload, ...fields, eventId })
    })
    await committer.commit(entryOf(...records))
    return records.map(({ eventId }) => eventId)
  }

  return {
    store,
    receive,
    commit: (work: CommitEntry) => committer.commit(work),
    /** Counts everything that was committed. */
    drain: () => committer.drain(),
    now: () => now,
    /** Sets the clock to the given number of days before `testNow`. */
    setDaysAgo: (days: number) => {
      now = testNow - days * dayMs
    },
    setNow: (at: number) => {
      now = at
    },
    keep: (projectId: number, retention: Partial<RetentionSettings>) =>
      updateProjectSettings(store, projectId, (settings) => ({
        retention: { ...settings.retention, ...retention },
      })),
    retain: (options: Partial<RetentionOptions> = {}) =>
      runRetention({ store, maxBytes: 10 ** 12, disk: undefined, isClockTrusted: true, ...options }),
    /** The remaining events of a project, oldest first, by their ids. */
    keptIds: (projectId = 1): string[] => {
      const rows = store.connection
        .prepare('SELECT event_id FROM events WHERE project_id = ? ORDER BY occurred_at, event_id')
        .all(projectId)
      return rows.map((row) => Buffer.from(toBytes(row['event_id'])).toString('hex'))
    },
    count: (table: string) =>
      Number(store.connection.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.['n']),
  }
}

/** One issue for each name. */
export function ofIssue(name: string): Partial<EventRecord> {
  return { groupHash: testId(`issue ${name}`), title: name }
}

/** The issue that counts the events of `ofIssue(name)`, in any project; undefined if it is deleted. */
export function findIssueId({ connection }: Store, name: string, projectId = 1): number | undefined {
  const hash = Buffer.from(testId(`issue ${name}`), 'hex')
  const row = connection
    .prepare('SELECT issue_id FROM issue_hashes WHERE project_id = ? AND hash = ?')
    .get(projectId, hash)
  return row && Number(row['issue_id'])
}

/** Merges one issue into another. Does nothing if one is deleted, or both are the same. */
export async function mergeIssues(store: Store, from: string, into: string): Promise<void> {
  const [fromId, intoId] = [from, into].map((name) => findIssueId(store, name))
  if (fromId === undefined || intoId === undefined || fromId === intoId) return
  const selection = { issueIds: [fromId, intoId], projectIds: testProjectIds }
  await recordMerge(store, selection, { userId: 'ada', at: store.clock(), intoId })
}
