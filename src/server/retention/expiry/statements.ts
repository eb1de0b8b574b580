import { eventRows } from '#server/retention/dependent-rows.ts'
import type { Connection } from '#server/store/engine/connection.ts'
import { valueMarks, numberRows, pairRows } from './value-groups.ts'

/** The statements that delete events, prepared once per run. */
export type ExpiryStatements = ReturnType<typeof prepareExpiryStatements>

/** Prepares the statements on the writer's connection. Run them inside a transaction only. */
export function prepareExpiryStatements(connection: Connection) {
  return {
    ...prepareBlockStatements(connection),
    findEnds: connection.prepare(
      `SELECT i.id,
         (SELECT event_id FROM events WHERE project_id = i.project_id AND issue_id = i.id
          ORDER BY occurred_at, event_id LIMIT 1) AS first_event_id,
         (SELECT event_id FROM events WHERE project_id = i.project_id AND issue_id = i.id
          ORDER BY occurred_at DESC, event_id DESC LIMIT 1) AS latest_event_id,
         (SELECT received_at FROM events WHERE project_id = i.project_id AND issue_id = i.id
          ORDER BY occurred_at DESC, event_id DESC LIMIT 1) AS latest_received_at
       FROM issues i WHERE i.project_id = ? AND i.id IN (${valueMarks})`,
    ),
    deleteEvents: connection.prepare(
      `DELETE FROM events WHERE project_id = ? AND event_id IN (${valueMarks})`,
    ),
    deleteEventRows: eventRows.map(({ table, column }) =>
      connection.prepare(`DELETE FROM ${table} WHERE project_id = ? AND ${column} IN (${valueMarks})`),
    ),
    insertExpiredDigests: connection.prepare(
      `INSERT INTO expired_digests (project_id, id, expired_at, reason, event_count, digests)
       VALUES (?, ?, ?, ?, ?, ?)`,
    ),
    findExpiredDigests: connection.prepare(
      'SELECT 1 AS found FROM expired_digests WHERE project_id = ? AND id = ?',
    ),
    ...prepareIssueStatements(connection),
  }
}

function prepareBlockStatements(connection: Connection) {
  return {
    nextBlock: connection.prepare(
      `SELECT id, raw_bytes, created_at, length(data) AS data_bytes FROM body_blocks
       WHERE project_id = ? AND id > ? AND id < ? ORDER BY id LIMIT 1`,
    ),
    nextEvent: connection.prepare(
      `SELECT block_id FROM events WHERE project_id = ? AND block_id > ? AND block_id < ?
       ORDER BY block_id LIMIT 1`,
    ),
    eventsOfBlock: connection.prepare(
      `SELECT event_id, issue_id, part_id, block_offset, block_length, received_at FROM events
       WHERE project_id = ? AND block_id = ? ORDER BY block_offset`,
    ),
    readBlock: connection.prepare('SELECT data FROM body_blocks WHERE project_id = ? AND id = ?'),
    insertBlock: connection.prepare(
      'INSERT INTO body_blocks (project_id, id, event_count, raw_bytes, created_at, data) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    deleteBlock: connection.prepare('DELETE FROM body_blocks WHERE project_id = ? AND id = ?'),
    setBlockEventCount: connection.prepare(
      'UPDATE body_blocks SET event_count = ? WHERE project_id = ? AND id = ?',
    ),
    moveEvent: connection.prepare(
      'UPDATE events SET block_id = ?, block_offset = ? WHERE project_id = ? AND event_id = ?',
    ),
  }
}

function prepareIssueStatements(connection: Connection) {
  return {
    countExpired: connection.prepare(
      `UPDATE issues SET expired_event_count = expired_event_count + column2
       FROM (VALUES ${pairRows}) AS counted WHERE project_id = ? AND id = column1`,
    ),
    countExpiredOfParts: connection.prepare(
      `UPDATE issue_parts SET expired_event_count = expired_event_count + column2
       FROM (VALUES ${pairRows}) AS counted WHERE project_id = ? AND id = column1`,
    ),
    findEmptyIssues: connection.prepare(
      `SELECT column1 AS id FROM (VALUES ${numberRows}) AS ids
       WHERE NOT EXISTS (SELECT 1 FROM events WHERE project_id = ? AND issue_id = column1)`,
    ),
    insertExpiredIssue: connection.prepare(
      `INSERT INTO expired_issues (project_id, issue_id, expired_at) VALUES (?, ?, ?)
       ON CONFLICT (project_id, issue_id) DO NOTHING`,
    ),
    insertExpiredParts: connection.prepare(
      `INSERT INTO expired_issues (project_id, issue_id, expired_at)
       SELECT project_id, id, cast(? AS bigint) FROM issue_parts WHERE project_id = ? AND issue_id = ?
       ON CONFLICT (project_id, issue_id) DO NOTHING`,
    ),
    deleteParts: connection.prepare('DELETE FROM issue_parts WHERE project_id = ? AND issue_id = ?'),
    deleteIssueHashes: connection.prepare('DELETE FROM issue_hashes WHERE project_id = ? AND issue_id = ?'),
    deleteIssue: connection.prepare('DELETE FROM issues WHERE project_id = ? AND id = ?'),
  }
}
