import { limits } from '#server/limits.ts'
import { SyncConnection } from '#server/store/engine/postgres/sync-connection.ts'
import { readPayload } from '#server/store/events/body-block.ts'
import { findWrongProjectBytes } from '#server/store/projects/space.ts'
import type { Store } from '#server/store/store.ts'
import { findWrongUpstreamSums } from '#server/store/upstreams/sums.ts'
import { foldAllDeltas } from './all-deltas.ts'

/**
 * The invariants of a store, which hold after any kill: each violation as a sentence, none if all is well.
 * Counts first what waits to be counted, as rows of issues wait too.
 */
export function findBrokenInvariants(store: Store): string[] {
  const { connection } = store
  const isSqlite = !(connection instanceof SyncConnection)
  // A server may be writing counts. The store's connection does not wait for it.
  if (isSqlite) connection.exec('PRAGMA busy_timeout = 10000')
  connection.exec('BEGIN IMMEDIATE')
  if (isSqlite) connection.exec('PRAGMA busy_timeout = 0')
  foldAllDeltas(store)
  connection.exec('COMMIT')
  const broken: string[] = []
  const expectNone = (rule: string, sql: string) => {
    const count = Number(connection.prepare(`SELECT count(*) AS n FROM (${sql}) AS broken`).get()?.['n'])
    if (count > 0) broken.push(`${rule}: ${count}`)
  }
  expectNone(
    'blocks that count other events than stand in them',
    `SELECT 1 FROM body_blocks b WHERE event_count <> (
       SELECT count(*) FROM events e WHERE e.project_id = b.project_id AND e.block_id = b.id)`,
  )
  expectNone('blocks without events', 'SELECT 1 FROM body_blocks WHERE event_count < 1')
  expectNone(
    'events without an issue',
    `SELECT 1 FROM events e WHERE NOT EXISTS (
       SELECT 1 FROM issues i WHERE i.project_id = e.project_id AND i.id = e.issue_id)
       AND NOT EXISTS (SELECT 1 FROM expired_issues x
         WHERE x.project_id = e.project_id AND x.issue_id = e.issue_id AND x.has_events = 1)`,
  )
  expectNone(
    'issues that do not count their kept and expired events',
    `SELECT 1 FROM issues i WHERE event_count - expired_event_count <> (
       SELECT count(*) FROM events e WHERE e.project_id = i.project_id AND e.issue_id = i.id)`,
  )
  expectNone('issues without events', 'SELECT 1 FROM issues WHERE event_count <= expired_event_count')
  expectNone(
    'hashes that lead nowhere',
    `SELECT 1 FROM issue_hashes h WHERE NOT EXISTS (
       SELECT 1 FROM issues i WHERE i.project_id = h.project_id AND i.id = h.issue_id)
       AND NOT EXISTS (SELECT 1 FROM discarded_hashes d
         WHERE d.project_id = h.project_id AND d.hash = h.hash AND h.issue_id = 0)`,
  )
  expectNone(
    'totals of traces other than those of their segments',
    `SELECT 1 FROM (
       SELECT project_id, count(*) AS n, sum(length(data) + ${limits.traceRowBytes}) AS stored FROM trace_segments
       GROUP BY project_id) s
     LEFT JOIN trace_totals t ON t.project_id = s.project_id
     WHERE t.project_id IS NULL OR t.segment_count <> s.n OR t.stored_bytes <> s.stored`,
  )
  findBrokenParts(expectNone)
  findBrokenSessions(expectNone)
  for (const table of [
    'issue_hours',
    'issue_tags',
    'issue_users',
    'issue_environments',
    'issue_activity',
    'issue_links',
  ]) {
    expectNone(
      `${table} of no issue`,
      `SELECT 1 FROM ${table} c
       WHERE NOT EXISTS (SELECT 1 FROM issues i WHERE i.project_id = c.project_id AND i.id = c.issue_id)
         AND NOT EXISTS (SELECT 1 FROM issue_parts p WHERE p.project_id = c.project_id AND p.id = c.issue_id)
         AND NOT EXISTS (SELECT 1 FROM expired_issues x WHERE x.project_id = c.project_id AND x.issue_id = c.issue_id)`,
    )
  }
  expectNone(
    'users of issues that their project does not count',
    `SELECT 1 FROM issue_users u JOIN projects p ON p.id = u.project_id
     WHERE NOT EXISTS (SELECT 1 FROM project_users x WHERE x.project_id = u.project_id AND x.user_hash = u.user_hash)
       AND ((SELECT count(*) FROM project_users x WHERE x.project_id = u.project_id) <> ${limits.usersPerIssueExact}
         OR EXISTS (SELECT 1 FROM project_users x WHERE x.project_id = u.project_id AND x.user_hash >= u.user_hash))`,
  )
  expectNone(
    'words of no issue',
    `SELECT 1 FROM issue_texts t WHERE NOT EXISTS (
       SELECT 1 FROM issues i WHERE ${connection instanceof SyncConnection ? 'i.project_id = t.project_id AND i.id = t.issue_id' : 'i.id = t.rowid'})`,
  )
  expectNone(
    'digests of no event',
    `SELECT 1 FROM event_digests d WHERE NOT EXISTS (
       SELECT 1 FROM events e WHERE e.project_id = d.project_id AND e.event_id = d.event_id)`,
  )
  expectNone(
    'envelopes that are not as long as they are counted',
    'SELECT 1 FROM outbox WHERE block_number IS NULL AND byte_count <> length(body)',
  )
  broken.push(
    ...findWrongUpstreamSums(connection),
    ...findWrongProjectBytes(connection),
    ...findUnreadableEvents(connection),
  )
  return broken
}

/** No session counter is greater than the one that includes it, and none is negative. */
function findBrokenSessions(expectNone: (rule: string, sql: string) => void): void {
  for (const table of ['session_hours', 'session_series']) {
    expectNone(
      `${table} with other states than sessions`,
      `SELECT 1 FROM ${table} WHERE errored_count < 0 OR unhandled_count < 0 OR abnormal_count < 0 OR crashed_count < 0
         OR errored_count + unhandled_count + abnormal_count + crashed_count > session_count`,
    )
  }
  expectNone(
    'hours with fewer sessions than are known by themselves, or in other states',
    `SELECT 1 FROM (
       SELECT project_id, series_id, hour, count(*) AS known, count(*) FILTER (WHERE state = 4) AS crashed FROM counted_sessions
       GROUP BY project_id, series_id, hour) c
     JOIN session_series s ON s.project_id = c.project_id AND s.id = c.series_id
     LEFT JOIN session_hours h ON h.project_id = c.project_id AND h.series_id = c.series_id AND h.hour = c.hour
     WHERE coalesce(h.session_count, 0) < known OR coalesce(h.crashed_count, 0) < crashed`,
  )
  expectNone(
    'releases with fewer sessions than their hours',
    `SELECT 1 FROM session_series s WHERE session_count < (
       SELECT coalesce(sum(session_count), 0) FROM session_hours h
       WHERE h.project_id = s.project_id AND h.series_id = s.id)`,
  )
  for (const table of ['session_hours', 'session_days', 'session_users']) {
    expectNone(
      `${table} of no release`,
      `SELECT 1 FROM ${table} c WHERE NOT EXISTS (
         SELECT 1 FROM session_series s WHERE s.project_id = c.project_id AND s.id = c.series_id)`,
    )
  }
  expectNone(
    'sessions of no release',
    `SELECT 1 FROM session_series s WHERE NOT EXISTS (
       SELECT 1 FROM releases r WHERE r.project_id = s.project_id AND r.version = s.version)`,
  )
}

/** A merge target is the sum of its parts, and each part counts its own events. */
function findBrokenParts(expectNone: (rule: string, sql: string) => void): void {
  expectNone(
    'parts of no issue',
    `SELECT 1 FROM issue_parts p WHERE NOT EXISTS (
       SELECT 1 FROM issues i WHERE i.project_id = p.project_id AND i.id = p.issue_id)`,
  )
  expectNone(
    'merge targets without a part of their own, or with no other one',
    `SELECT 1 FROM issue_parts GROUP BY project_id, issue_id HAVING count(*) FILTER (WHERE id = -issue_id) <> 1 OR count(*) < 2`,
  )
  expectNone(
    'parts that do not count their kept and expired events',
    `SELECT 1 FROM issue_parts p WHERE event_count - expired_event_count <> (
       SELECT count(*) FROM events e WHERE e.project_id = p.project_id AND e.issue_id = p.issue_id
         AND coalesce(e.part_id, -e.issue_id) = p.id)`,
  )
  expectNone(
    'merge targets that are not the sum of their parts',
    `SELECT 1 FROM issues i JOIN (
       SELECT project_id, issue_id, sum(event_count) AS event_count, sum(expired_event_count) AS expired
       FROM issue_parts GROUP BY project_id, issue_id) p ON p.project_id = i.project_id AND p.issue_id = i.id
     WHERE i.event_count <> p.event_count OR i.expired_event_count <> p.expired`,
  )
  expectNone(
    'hashes that belong to no part of their issue',
    `SELECT 1 FROM issue_hashes h WHERE EXISTS (
       SELECT 1 FROM issue_parts p WHERE p.project_id = h.project_id AND p.issue_id = h.issue_id)
     AND NOT EXISTS (SELECT 1 FROM issue_parts p
       WHERE p.project_id = h.project_id AND p.issue_id = h.issue_id AND p.id = h.part_id)`,
  )
  expectNone(
    'hashes and events that name a part of an issue that is not merged',
    `SELECT part_id FROM issue_hashes h WHERE part_id IS NOT NULL AND NOT EXISTS (
       SELECT 1 FROM issue_parts p WHERE p.project_id = h.project_id AND p.id = h.part_id)
     UNION ALL SELECT part_id FROM events e WHERE part_id IS NOT NULL AND NOT EXISTS (
       SELECT 1 FROM issue_parts p WHERE p.project_id = e.project_id AND p.id = e.part_id)
       AND NOT EXISTS (SELECT 1 FROM expired_issues x WHERE x.project_id = e.project_id AND x.issue_id = e.issue_id)`,
  )
}

/** Events whose payload does not start like real ones: as an object with the event's id. */
function findUnreadableEvents(connection: Store['connection']): string[] {
  const broken: string[] = []
  const rows = connection
    .prepare(
      `SELECT e.event_id, e.block_offset, e.block_length, b.data, b.raw_bytes
       FROM events e LEFT JOIN body_blocks b ON b.project_id = e.project_id AND b.id = e.block_id`,
    )
    .iterate()
  for (const row of rows) {
    const eventId = Buffer.from(toBytes(row['event_id'])).toString('hex')
    try {
      const block = { data: toBytes(row['data']), rawBytes: Number(row['raw_bytes']) }
      const payload = readPayload(block, Number(row['block_offset']), Number(row['block_length']))
      if (!Buffer.from(payload).includes(eventId)) broken.push(`event ${eventId} shows another one's payload`)
    } catch (error) {
      broken.push(`event ${eventId} cannot be read: ${String(error)}`)
    }
  }
  return broken
}

function toBytes(value: unknown): Uint8Array {
  if (!(value instanceof Uint8Array)) throw new TypeError('there is no block')
  return value
}
