import type { Connection } from '#server/store/engine/connection.ts'

/** The size of a project's rows, in stored bytes. */
export interface StoredSpace {
  projectId: number
  eventCount: number
  /** Payloads only. */
  eventBytes: number
  outboxBytes: number
  attachmentBytes: number
  deadLetterBytes: number
  /** Uploaded source maps, samples of filtered events, and traces. */
  otherBytes: number
}

/** Citus cannot correlate rows of a project's node with `projects`, but it can join their sums. */
const listed = `
  WITH bytes AS MATERIALIZED (SELECT project_id, event_count, event_bytes, outbox_bytes FROM project_bytes),
    files AS MATERIALIZED (SELECT project_id, stored_bytes FROM attachment_totals),
    letters AS MATERIALIZED (SELECT project_id, sum(length(payload)) AS stored FROM dead_letters GROUP BY project_id),
    maps AS MATERIALIZED (SELECT project_id, sum(stored_bytes) AS stored FROM artifact_bundles GROUP BY project_id),
    traces AS MATERIALIZED (SELECT project_id, stored_bytes FROM trace_totals),
    samples AS MATERIALIZED (SELECT project_id, sum(length(payload)) AS stored FROM filter_samples GROUP BY project_id)
  SELECT p.id AS "projectId",
    coalesce(b.event_count, 0) AS "eventCount",
    coalesce(b.event_bytes, 0) AS "eventBytes",
    coalesce(b.outbox_bytes, 0) AS "outboxBytes",
    coalesce(a.stored_bytes, 0) AS "attachmentBytes",
    coalesce(d.stored, 0) AS "deadLetterBytes",
    coalesce(m.stored, 0) + coalesce(s.stored, 0) + coalesce(t.stored_bytes, 0) AS "otherBytes"
  FROM projects p
    LEFT JOIN bytes b ON b.project_id = p.id
    LEFT JOIN files a ON a.project_id = p.id
    LEFT JOIN letters d ON d.project_id = p.id
    LEFT JOIN maps m ON m.project_id = p.id
    LEFT JOIN samples s ON s.project_id = p.id
    LEFT JOIN traces t ON t.project_id = p.id
  ORDER BY p.id`

/** The size of each project's rows. Reads counters, and the lengths of at most some thousand small rows. */
export function listStoredSpace(connection: Connection): StoredSpace[] {
  return connection
    .prepare(listed)
    .all()
    .map((row) => ({
      projectId: Number(row['projectId']),
      eventCount: Number(row['eventCount']),
      eventBytes: Number(row['eventBytes']),
      outboxBytes: Number(row['outboxBytes']),
      attachmentBytes: Number(row['attachmentBytes']),
      deadLetterBytes: Number(row['deadLetterBytes']),
      otherBytes: Number(row['otherBytes']),
    }))
}

/** Differences between counters of projects and rows, one sentence each. Reads every block's length. */
export function findWrongProjectBytes(connection: Connection): string[] {
  const rows = connection
    .prepare(
      `SELECT project_id, sum(events) AS events, sum(stored) AS stored, sum(queued) AS queued,
         sum(counted_events) AS "countedEvents", sum(counted_stored) AS "countedStored", sum(counted_queued) AS "countedQueued"
       FROM (
         SELECT project_id, event_count AS events, length(data) AS stored, 0 AS queued,
           0 AS counted_events, 0 AS counted_stored, 0 AS counted_queued FROM body_blocks
         UNION ALL SELECT project_id, 0, 0, length(data), 0, 0, 0 FROM outbox_blocks
         UNION ALL SELECT project_id, 0, 0, length(body), 0, 0, 0 FROM outbox
         UNION ALL SELECT project_id, 0, 0, 0, event_count, event_bytes, outbox_bytes FROM project_bytes) AS counted
       GROUP BY project_id`,
    )
    .all()
  const compared = [
    ['events', 'countedEvents', 'events with a payload'],
    ['stored', 'countedStored', 'bytes of payloads'],
    ['queued', 'countedQueued', 'bytes of envelopes to send'],
  ] as const
  return rows.flatMap((row) =>
    compared.flatMap(([there, counted, what]) =>
      row[there] === row[counted]
        ? []
        : [
            `project ${Number(row['project_id'])} counts ${Number(row[counted])} ${what}, there are ${Number(row[there])}`,
          ],
    ),
  )
}
