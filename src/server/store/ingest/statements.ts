import { limits } from '#server/limits.ts'
import { prepareWindowStatements } from '#server/store/alerts/thresholds/windows.ts'
import { prepareTroubleStatements } from '#server/store/alerts/trouble-writer.ts'
import type { StatementSource } from '#server/store/engine/engine.ts'
import { prepareFigureStatements } from '#server/store/figures/statements.ts'
import { prepareMonitorStatements } from '#server/store/monitors/queue.ts'
import { prepareSessionStatements } from '#server/store/sessions/statements.ts'
import { prepareTraceStatements } from '#server/store/traces/statements.ts'
import { issueStateColumns } from '#server/store/triage/state.ts'
import { prepareTransitionStatements } from '#server/store/triage/transition-writer.ts'
import { prepareOutboxStatements } from '#server/store/upstreams/outbox-statements.ts'

/** The statements of every batch, prepared once, in SQL that both engines understand. */
export type IngestStatements = ReturnType<typeof prepareIngestStatements>

/** Prepares the statements on the writer's connection. Run them inside a transaction only. */
export function prepareIngestStatements(source: StatementSource) {
  return {
    ...prepareEventStatements(source),
    ...prepareIssueStatements(source),
    ...prepareIssueTextStatements(source),
    ...prepareIssueRowStatements(source, 'issues'),
    parts: prepareIssueRowStatements(source, 'issue_parts'),
    ...prepareIssueCounterStatements(source),
    ...prepareCounterDeltaStatements(source),
    ...prepareProjectCounterStatements(source),
    ...prepareProjectUserStatements(source),
    ...prepareFilterSampleStatements(source),
    ...prepareAttachmentStatements(source),
    ...prepareOutboxStatements(source),
    ...prepareSessionStatements(source),
    ...prepareTraceStatements(source),
    ...prepareFigureStatements(source),
    transitions: prepareTransitionStatements(source),
    windows: prepareWindowStatements(source),
    troubles: prepareTroubleStatements(source),
    monitors: prepareMonitorStatements(source),
  }
}

function prepareEventStatements({ connection, engine }: StatementSource) {
  return {
    insertEvent: engine.prepareChange(
      `INSERT INTO events (project_id, event_id, issue_id, block_id, block_offset, block_length, occurred_at,
         received_at, level, environment, release, user_hash, trace_id, client_address, tag_hashes, part_id,
         is_trace_sampled)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (project_id, event_id) DO NOTHING`,
    ),
    findEvent: engine.prepareRead('SELECT 1 FROM events WHERE project_id = ? AND event_id = ?'),
    insertBlock: engine.prepareWrite(
      `INSERT INTO body_blocks (project_id, id, event_count, raw_bytes, created_at, data) VALUES (?, ?, ?, ?, ?, ?)`,
    ),
    insertDigest: engine.prepareWrite(
      `INSERT INTO event_digests (project_id, digest, event_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`,
    ),
    insertFeedback: engine.prepareWrite(
      `INSERT INTO event_feedback (project_id, event_id, feedback_id, received_at, name, email, message)
       VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    ),
    insertDeadLetter: engine.prepareWrite(
      `INSERT INTO dead_letters (project_id, id, item_type, category, reason, received_at, origin, payload)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    deleteDeadLetter: connection.prepare('DELETE FROM dead_letters WHERE project_id = ? AND id = ?'),
    deleteSingleOutcome: connection.prepare(
      `DELETE FROM outcome_hours
       WHERE project_id = ? AND hour = ? AND category = ? AND outcome = ? AND reason = ? AND quantity <= 1`,
    ),
    decrementOutcome: connection.prepare(
      `UPDATE outcome_hours SET quantity = quantity - 1
       WHERE project_id = ? AND hour = ? AND category = ? AND outcome = ? AND reason = ?`,
    ),
  }
}

function prepareIssueStatements({ engine }: StatementSource) {
  return {
    findIssueOfHash: engine.prepareRead(
      'SELECT issue_id, part_id FROM issue_hashes WHERE project_id = ? AND hash = ?',
    ),
    findProjectOfIssue: engine.prepareRead('SELECT project_id FROM issues WHERE id = ? LIMIT 1'),
    findExpiredIssue: engine.prepareRead(
      'SELECT 1 FROM expired_issues WHERE project_id = ? AND issue_id = ?',
    ),
    findIssuePart: engine.prepareRead('SELECT 1 FROM issue_parts WHERE project_id = ? AND id = ?'),
    insertHash: engine.prepareWrite(
      `INSERT INTO issue_hashes (project_id, hash, mechanism, issue_id) VALUES (?, ?, ?, ?)
       ON CONFLICT (project_id, hash) DO NOTHING`,
    ),
    setIssueNumber: engine.prepareWrite('UPDATE projects SET last_issue_number = ? WHERE id = ?'),
    readIssueNumber: engine.prepareRead('SELECT last_issue_number FROM projects WHERE id = ?'),
    insertIssue: engine.prepareWrite(
      `INSERT INTO issues (project_id, id, number, type, title, subtitle, culprit, level, platform, logger, status,
         mechanism, first_seen_at, last_seen_at, event_count, user_count, first_release, last_release,
         first_event_id, latest_event_id, message, text_hash)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'unresolved', ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?)`,
    ),
    insertIssueEnvironment: engine.prepareChange(
      `INSERT INTO issue_environments (project_id, issue_id, environment) VALUES (?, ?, ?)
       ON CONFLICT (project_id, issue_id, environment) DO NOTHING`,
    ),
    findIssueEnvironment: engine.prepareRead(
      'SELECT 1 FROM issue_environments WHERE project_id = ? AND issue_id = ? AND environment = ?',
    ),
    countIssueEnvironments: engine.prepareRead(
      'SELECT count(*) AS environment_count FROM issue_environments WHERE project_id = ? AND issue_id = ?',
    ),
    insertIssueTrait: engine.prepareChange(
      `INSERT INTO issue_traits (project_id, issue_id, key, value) VALUES (?, ?, ?, ?)
       ON CONFLICT (project_id, issue_id, key, value) DO NOTHING`,
    ),
    countIssueTraits: engine.prepareRead(
      'SELECT key, count(*) AS trait_count FROM issue_traits WHERE project_id = ? AND issue_id = ? GROUP BY key',
    ),
    insertIssueUser: engine.prepareChange(
      `INSERT INTO issue_users (project_id, issue_id, user_hash) VALUES (?, ?, ?)
       ON CONFLICT (project_id, issue_id, user_hash) DO NOTHING`,
    ),
    deleteIssueUser: engine.prepareWrite(
      'DELETE FROM issue_users WHERE project_id = ? AND issue_id = ? AND user_hash = ?',
    ),
    readLargestIssueUsers: engine.prepareRead(
      `SELECT user_hash FROM issue_users WHERE project_id = ? AND issue_id = ? ORDER BY user_hash DESC LIMIT ?`,
    ),
  }
}

/** Statements that write the search words of issues. */
function prepareIssueTextStatements({ engine }: StatementSource) {
  return {
    replaceIssueText: engine.prepareIssueText(),
    setIssueTextHash: engine.prepareWrite('UPDATE issues SET text_hash = ? WHERE project_id = ? AND id = ?'),
  }
}

/** The statements of a batch for the row of an issue or of a part. */
export type IssueRowStatements = ReturnType<typeof prepareIssueRowStatements>

/** Prepares the statements of a batch for the row of an issue or of a part. */
function prepareIssueRowStatements({ engine }: StatementSource, table: 'issues' | 'issue_parts') {
  return {
    readIssue: engine.prepareRead(
      `SELECT first_seen_at, first_event_id, last_seen_at, latest_event_id, first_release, status, title, culprit
       FROM ${table} WHERE project_id = ? AND id = ?`,
    ),
    // Several updates instead of one with every column: SQLite rewrites the index entries of each column in
    // SET, changed or not, and an issue is in a dozen indexes.
    countIssueEvents: engine.prepareWrite(
      `UPDATE ${table} SET event_count = event_count + ? WHERE project_id = ? AND id = ?`,
    ),
    // Counts events without a row: `event_count` minus this is the number of rows.
    countMissingEvents: engine.prepareWrite(
      `UPDATE ${table} SET expired_event_count = expired_event_count + ? WHERE project_id = ? AND id = ?`,
    ),
    advanceIssue: engine.prepareWrite(
      `UPDATE ${table} SET event_count = event_count + ?, last_seen_at = ?, latest_event_id = ?,
         last_release = coalesce(?, last_release), type = ?, subtitle = ?, level = ?, platform = ?, logger = ?, message = ?
       WHERE project_id = ? AND id = ?`,
    ),
    retitleIssue: engine.prepareWrite(
      `UPDATE ${table} SET title = ?, culprit = ? WHERE project_id = ? AND id = ?`,
    ),
    moveIssueStart: engine.prepareWrite(
      `UPDATE ${table} SET first_seen_at = ?, first_event_id = ? WHERE project_id = ? AND id = ?`,
    ),
    setIssueFirstRelease: engine.prepareWrite(
      `UPDATE ${table} SET first_release = ? WHERE project_id = ? AND id = ?`,
    ),
    readCountedIssue: engine.prepareRead(
      `SELECT user_count, trend_fast, trend_slow, trend, title, subtitle, culprit, coalesce(message, '') AS message,
         text_hash, status, last_seen_at, latest_event_id
       FROM ${table} WHERE project_id = ? AND id = ?`,
    ),
    setIssueTrend: engine.prepareWrite(
      `UPDATE ${table} SET trend_fast = ?, trend_slow = ?, trend = ? WHERE project_id = ? AND id = ?`,
    ),
    // Does not touch the indexed column.
    setIssueTrendParts: engine.prepareWrite(
      `UPDATE ${table} SET trend_fast = ?, trend_slow = ? WHERE project_id = ? AND id = ?`,
    ),
    readState: engine.prepareRead(
      `SELECT i.event_count, ${issueStateColumns.join(', ')} FROM ${table} i WHERE i.project_id = ? AND i.id = ?`,
    ),
    setIssueUserCount: engine.prepareWrite(
      `UPDATE ${table} SET user_count = ? WHERE project_id = ? AND id = ?`,
    ),
  }
}

function prepareIssueCounterStatements({ engine }: StatementSource) {
  return {
    upsertIssueHour: engine.prepareWrite(
      `INSERT INTO issue_hours (project_id, issue_id, hour, environment, event_count) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (project_id, issue_id, hour, environment)
       DO UPDATE SET event_count = issue_hours.event_count + excluded.event_count`,
    ),
    findIssueTag: engine.prepareRead(
      'SELECT 1 FROM issue_tags WHERE project_id = ? AND issue_id = ? AND key = ? AND value = ?',
    ),
    updateIssueTag: engine.prepareChange(
      `UPDATE issue_tags SET event_count = event_count + ?,
         last_seen_at = CASE WHEN last_seen_at < ? THEN ? ELSE last_seen_at END
       WHERE project_id = ? AND issue_id = ? AND key = ? AND value = ?`,
    ),
    insertIssueTag: engine.prepareWrite(
      `INSERT INTO issue_tags (project_id, issue_id, key, value, event_count, last_seen_at) VALUES (?, ?, ?, ?, ?, ?)`,
    ),
    upsertIssueTag: engine.prepareWrite(
      `INSERT INTO issue_tags (project_id, issue_id, key, value, event_count, last_seen_at) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (project_id, issue_id, key, value) DO UPDATE SET
         event_count = issue_tags.event_count + excluded.event_count,
         last_seen_at = CASE WHEN issue_tags.last_seen_at < excluded.last_seen_at
           THEN excluded.last_seen_at ELSE issue_tags.last_seen_at END`,
    ),
    countIssueTagValues: engine.prepareRead(
      'SELECT count(*) AS value_count FROM issue_tags WHERE project_id = ? AND issue_id = ? AND key = ?',
    ),
    // One index seek per key instead of one step per value.
    countIssueTagKeys: engine.prepareRead(
      `SELECT count(*) AS key_count FROM (
         WITH RECURSIVE found (key, place) AS (
           SELECT min(t.key), 1 FROM issue_tags t WHERE t.project_id = ? AND t.issue_id = ?
           UNION ALL
           SELECT (SELECT min(t.key) FROM issue_tags t WHERE t.project_id = ? AND t.issue_id = ? AND t.key > found.key),
             place + 1
           FROM found WHERE key IS NOT NULL AND place < ${limits.tagKeysPerIssue})
         SELECT key FROM found WHERE key IS NOT NULL) AS tag_keys`,
    ),
  }
}

function prepareCounterDeltaStatements({ connection, engine }: StatementSource) {
  return {
    insertCounterDelta: engine.prepareWrite(
      'INSERT INTO counter_deltas (project_id, id, event_count, data) VALUES (?, ?, ?, ?)',
    ),
    takeCounterDeltas: connection.prepare(takeDeltasWhere('true')),
    takeCounterDeltasOf: connection.prepare(takeDeltasWhere(engine.numbersIn('project_id'))),
    countUnfoldedEvents: connection.prepare('SELECT sum(event_count) AS event_count FROM counter_deltas'),
  }
}

/**
 * Deletes the oldest deltas of a slice and returns them: until they have a number of events, and at most a
 * number of them. `id % sliceCount` is the slice, see `sliceOf`; divisor 1 with remainder 0 selects each.
 */
function takeDeltasWhere(condition: string): string {
  return `DELETE FROM counter_deltas
    WHERE (project_id, id) IN (
      SELECT project_id, id FROM (
        SELECT project_id, id, sum(event_count) OVER (ORDER BY project_id, id) - event_count AS events_before
        FROM counter_deltas WHERE id % ? = ? AND ${condition}
        ORDER BY project_id, id LIMIT ?) AS oldest
      WHERE events_before < ?)
    RETURNING project_id, id, event_count, data`
}

function prepareProjectCounterStatements({ engine }: StatementSource) {
  return {
    findRelease: engine.prepareRead('SELECT 1 FROM releases WHERE project_id = ? AND version = ?'),
    upsertRelease: engine.prepareWrite(
      `INSERT INTO releases (project_id, version, package, version_order, created_at, first_seen_at, last_seen_at,
         event_count)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (project_id, version) DO UPDATE SET
         event_count = releases.event_count + excluded.event_count,
         first_seen_at = CASE WHEN releases.event_count = 0 OR excluded.first_seen_at < releases.first_seen_at
           THEN excluded.first_seen_at ELSE releases.first_seen_at END,
         last_seen_at = CASE WHEN releases.event_count = 0 OR excluded.last_seen_at > releases.last_seen_at
           THEN excluded.last_seen_at ELSE releases.last_seen_at END`,
    ),
    countReleaseEnvironments: engine.prepareRead(
      `SELECT count(*) AS environment_count FROM release_environments WHERE project_id = ? AND version = ?`,
    ),
    insertReleaseEnvironment: engine.prepareChange(
      `INSERT INTO release_environments (project_id, version, environment, first_seen_at) VALUES (?, ?, ?, ?)
       ON CONFLICT (project_id, version, environment) DO NOTHING`,
    ),
    findReleaseDate: engine.prepareRead(
      `SELECT coalesce(released_at, created_at) AS dated_at FROM releases WHERE project_id = ? AND version = ?`,
    ),
    updateEnvironment: engine.prepareChange(
      `UPDATE environments SET event_count = event_count + ?,
         first_seen_at = CASE WHEN first_seen_at > ? THEN ? ELSE first_seen_at END,
         last_seen_at = CASE WHEN last_seen_at < ? THEN ? ELSE last_seen_at END
       WHERE project_id = ? AND name = ?`,
    ),
    findEnvironment: engine.prepareRead('SELECT 1 FROM environments WHERE project_id = ? AND name = ?'),
    countEnvironments: engine.prepareRead(
      'SELECT count(*) AS environment_count FROM environments WHERE project_id = ?',
    ),
    insertEnvironment: engine.prepareWrite(
      `INSERT INTO environments (project_id, name, first_seen_at, last_seen_at, event_count) VALUES (?, ?, ?, ?, ?)`,
    ),
    upsertOutcome: engine.prepareWrite(
      `INSERT INTO outcome_hours (project_id, hour, category, outcome, reason, quantity) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (project_id, hour, category, outcome, reason)
       DO UPDATE SET quantity = outcome_hours.quantity + excluded.quantity`,
    ),
  }
}

function prepareProjectUserStatements({ engine }: StatementSource) {
  return {
    findProject: engine.prepareRead('SELECT 1 FROM projects WHERE id = ?'),
    readProjectUserCount: engine.prepareRead(
      'SELECT user_count FROM project_user_counts WHERE project_id = ?',
    ),
    setProjectUserCount: engine.prepareWrite(
      `INSERT INTO project_user_counts (project_id, user_count) VALUES (?, ?)
       ON CONFLICT (project_id) DO UPDATE SET user_count = excluded.user_count`,
    ),
    insertProjectUser: engine.prepareChange(
      'INSERT INTO project_users (project_id, user_hash) VALUES (?, ?) ON CONFLICT (project_id, user_hash) DO NOTHING',
    ),
    deleteProjectUser: engine.prepareWrite(
      'DELETE FROM project_users WHERE project_id = ? AND user_hash = ?',
    ),
    readLargestProjectUsers: engine.prepareRead(
      'SELECT user_hash FROM project_users WHERE project_id = ? ORDER BY user_hash DESC LIMIT ?',
    ),
  }
}

function prepareFilterSampleStatements({ engine }: StatementSource) {
  return {
    insertFilterSample: engine.prepareWrite(
      `INSERT INTO filter_samples (project_id, reason, day, received_at, id, category, title, environment, release,
         payload_bytes, payload, event_id, trace_id)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    // The offset is the number of newer rows to keep; with fewer rows the subquery is NULL and no row is
    // deleted.
    deleteSurplusFilterSamples: engine.prepareWrite(
      `DELETE FROM filter_samples WHERE project_id = ? AND reason = ? AND day = ? AND (received_at, id) <= (
         SELECT received_at, id FROM filter_samples WHERE project_id = ? AND reason = ? AND day = ?
         ORDER BY received_at DESC, id DESC LIMIT 1 OFFSET ?)`,
    ),
    deleteOldFilterSamples: engine.prepareWrite(
      'DELETE FROM filter_samples WHERE project_id = ? AND reason = ? AND day < ?',
    ),
  }
}

function prepareAttachmentStatements({ connection, engine }: StatementSource) {
  return {
    readAttachments: connection.prepare(
      `SELECT count(*) AS file_count, coalesce(max(number), 0) AS last_number, coalesce(sum(byte_count), 0) AS byte_count,
         coalesce(max(CASE WHEN name = ? AND content_hash = ? THEN 1 ELSE 0 END), 0) AS is_known
       FROM attachments WHERE project_id = ? AND event_id = ?`,
    ),
    readAttachmentTotal: connection.prepare(
      'SELECT stored_bytes FROM attachment_totals WHERE project_id = ?',
    ),
    insertAttachment: engine.prepareWrite(
      `INSERT INTO attachments (project_id, event_id, number, name, content_type, kind, received_at, byte_count,
         stored_bytes, content_hash, data)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
  }
}
