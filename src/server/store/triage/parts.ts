import { promotedTagKeys } from '#protocol/promoted-tags.ts'
import { limits } from '#server/limits.ts'
import {
  copyWindowsToOwnPart,
  deleteWindowsOfOwnPart,
  joinWindows,
  splitWindows,
  sumWindows,
} from '#server/store/alerts/thresholds/part-windows.ts'
import type { IssueKey } from '#server/store/issues/records.ts'
import { issueTextColumns, issueTextHash } from '#server/store/issues/text.ts'
import { sumTrends, trendOrder } from '#server/store/issues/trend-weight.ts'
import { estimateUserCount } from '#server/store/issues/user-sketch.ts'
import { moveArchiveLimits, readArchiveCounts } from './part-conditions.ts'
import { fragment, toFragment, type PartStatements } from './part-statements.ts'
import { writtenStateColumns } from './state.ts'

/**
 * The steps of a merge and an unmerge. Call them on the writer's connection, inside a transaction that has
 * folded the counter deltas of the issues and their parts (`merge.ts`).
 *
 * A merge target is the sum of its parts. Each part continues to count its own events under its own
 * id, so an unmerge subtracts nothing: it adds up the remaining parts again. Merging two targets combines the
 * parts of both on one level.
 */

/** The tables of the counters, and their columns without the key. */
const counterColumns = {
  issue_hours: 'hour, environment, event_count',
  issue_tags: 'key, value, event_count, last_seen_at',
  issue_traits: 'key, value',
  issue_users: 'user_hash',
  issue_environments: 'environment',
}

const counters = Object.entries(counterColumns).map(([table, columns]) => ({
  table: toFragment(table),
  columns: toFragment(columns),
}))

/** The id of the part that an issue was before the first merge into it. */
export function ownPartId(issueId: number): number {
  return -issueId
}

/** The parts of a merge target, including its own one; empty for any other issue. */
export function listPartIds({ all }: PartStatements, { projectId, issueId }: IssueKey): number[] {
  const rows = all`SELECT id FROM issue_parts WHERE project_id = ${projectId} AND issue_id = ${issueId} ORDER BY id`
  return rows.map(({ id }) => Number(id))
}

/** Copies an issue to its own part, unless it has one. */
export function ensureOwnPart(
  statements: PartStatements,
  { projectId, issueId }: IssueKey,
  at: number,
): void {
  if (listPartIds(statements, { projectId, issueId }).length > 0) return
  const { run, columns } = statements
  const own = ownPartId(issueId)
  run`INSERT INTO issue_parts (project_id, id, issue_id, merged_at, number, ${columns})
    SELECT project_id, cast(${own} as bigint), id, cast(${at} as bigint), -number, ${columns} FROM issues
    WHERE project_id = ${projectId} AND id = ${issueId}`
  // The issue keeps the status. Its own part has only counters, so no event reopens it.
  run`UPDATE issue_parts SET status = 'unresolved', reopen_condition = NULL, archived_until_at = NULL
    WHERE project_id = ${projectId} AND id = ${own}`
  copyCounters(statements, { projectId, from: issueId, to: own })
  copyWindowsToOwnPart(statements, { projectId, issueId })
  run`UPDATE issue_hashes SET part_id = ${own} WHERE project_id = ${projectId} AND issue_id = ${issueId}`
}

/**
 * Merges an issue with all its parts into another one. Deletes its row; its id becomes that of a part. Its
 * events are moved afterwards: `events/moves.ts`.
 */
export function joinIssue(
  statements: PartStatements,
  { projectId, issueId, intoId, at }: IssueKey & { intoId: number; at: number },
): void {
  const { run, columns } = statements
  const own = ownPartId(issueId)
  const isMerged = listPartIds(statements, { projectId, issueId }).length > 0
  if (isMerged) {
    // The issue's row has the state, its own part has the counters.
    const state = toFragment(['number', ...writtenStateColumns].join(', '))
    run`UPDATE issue_parts SET id = ${issueId}, (${state}) = (
        SELECT ${state} FROM issues WHERE project_id = ${projectId} AND id = ${issueId})
      WHERE project_id = ${projectId} AND id = ${own}`
    const before = readArchiveCounts(statements, { projectId, issueId })
    moveArchiveLimits(statements, { projectId, issueId }, { before, table: 'issue_parts' })
    moveCounters(statements, { projectId, from: own, to: issueId })
    run`UPDATE issue_hashes SET part_id = ${issueId}
      WHERE project_id = ${projectId} AND issue_id = ${issueId} AND part_id = ${own}`
    run`UPDATE issue_parts SET issue_id = ${intoId}, merged_at = ${at}
      WHERE project_id = ${projectId} AND issue_id = ${issueId}`
  } else {
    run`INSERT INTO issue_parts (project_id, id, issue_id, merged_at, number, ${columns})
      SELECT project_id, id, cast(${intoId} as bigint), cast(${at} as bigint), number, ${columns} FROM issues
      WHERE project_id = ${projectId} AND id = ${issueId}`
    run`UPDATE issue_hashes SET part_id = ${issueId} WHERE project_id = ${projectId} AND issue_id = ${issueId}`
  }
  run`UPDATE issue_hashes SET issue_id = ${intoId} WHERE project_id = ${projectId} AND issue_id = ${issueId}`
  run`DELETE FROM issues WHERE project_id = ${projectId} AND id = ${issueId}`
  joinWindows(statements, { projectId, issueId, intoId, isMerged })
}

/**
 * Makes a part a separate issue again, with its hashes. Its other events are moved afterwards
 * (`events/moves.ts`). Update the counts of the remaining parts with `recountParts`.
 */
export function splitPart(
  statements: PartStatements,
  { projectId, partId }: { projectId: number; partId: number },
): void {
  const { run, columns } = statements
  run`INSERT INTO issues (project_id, id, number, ${columns})
    SELECT project_id, id, number, ${columns} FROM issue_parts WHERE project_id = ${projectId} AND id = ${partId}`
  // Selects by the target, because no index begins with the part.
  run`UPDATE issue_hashes SET issue_id = part_id, part_id = NULL
    WHERE project_id = ${projectId} AND part_id = ${partId} AND issue_id = (
      SELECT issue_id FROM issue_parts WHERE project_id = ${projectId} AND id = ${partId})`
  run`DELETE FROM issue_parts WHERE project_id = ${projectId} AND id = ${partId}`
  // The issue page shows these two events, so they are moved immediately.
  run`UPDATE events SET issue_id = part_id, part_id = NULL
    WHERE project_id = ${projectId} AND +part_id = ${partId} AND event_id IN (
      SELECT first_event_id FROM issues WHERE project_id = ${projectId} AND id = ${partId}
      UNION SELECT latest_event_id FROM issues WHERE project_id = ${projectId} AND id = ${partId})`
  writeWords(statements, { projectId, issueId: partId })
  splitWindows(statements, { projectId, partId })
}

/** Deletes a part without events, and its hashes. The next run of retention deletes its counters. */
export function dropPart(
  { run }: PartStatements,
  { projectId, partId, at }: { projectId: number; partId: number; at: number },
): void {
  run`DELETE FROM issue_hashes WHERE project_id = ${projectId} AND part_id = ${partId}`
  run`DELETE FROM issue_parts WHERE project_id = ${projectId} AND id = ${partId}`
  run`INSERT INTO expired_issues (project_id, issue_id, expired_at) VALUES (${projectId}, ${partId}, ${at})
    ON CONFLICT (project_id, issue_id) DO NOTHING`
}

/** Makes a merge target the sum of its parts. If only its own part is left, it is an ordinary issue again. */
export function recountParts(statements: PartStatements, issue: IssueKey): void {
  const { projectId, issueId } = issue
  const { run } = statements
  const partIds = listPartIds(statements, issue)
  const before = readArchiveCounts(statements, issue)
  sumCounters(statements, issue)
  sumWindows(statements, issue)
  sumRow(statements, issue)
  moveArchiveLimits(statements, issue, { before })
  writeWords(statements, issue)
  const own = ownPartId(issueId)
  if (partIds.some((id) => id !== own)) return
  run`UPDATE issue_hashes SET part_id = NULL WHERE project_id = ${projectId} AND issue_id = ${issueId}`
  run`DELETE FROM issue_parts WHERE project_id = ${projectId} AND id = ${own}`
  deleteCounters(statements, { projectId, issueId: own })
  deleteWindowsOfOwnPart(statements, issue)
}

const promotedKeys = toFragment(promotedTagKeys.map((key) => `'${key}'`).join(', '))

function sumCounters(statements: PartStatements, { projectId, issueId }: IssueKey): void {
  const { run } = statements
  deleteCounters(statements, { projectId, issueId })
  const ofParts = fragment`project_id = ${projectId} AND issue_id IN (
    SELECT id FROM issue_parts p WHERE p.project_id = ${projectId} AND p.issue_id = ${issueId})`
  // With casts: PostgreSQL infers text for a parameter in a select list.
  const key = fragment`cast(${projectId} as bigint), cast(${issueId} as bigint)`
  run`INSERT INTO issue_hours (project_id, issue_id, hour, environment, event_count)
    SELECT ${key}, hour, environment, sum(event_count) FROM issue_hours WHERE ${ofParts} GROUP BY hour, environment`
  // The most frequent keys and values remain; other values are counted as `(other)`, as in ingest.
  run`INSERT INTO issue_tags (project_id, issue_id, key, value, event_count, last_seen_at)
    SELECT ${key}, key, CASE WHEN place > ${limits.tagValuesPerIssueKey} THEN '(other)' ELSE value END AS kept,
      sum(event_count), max(last_seen_at)
    FROM (SELECT key, value, sum(event_count) AS event_count, max(last_seen_at) AS last_seen_at,
        row_number() OVER (PARTITION BY key ORDER BY value = '(other)', sum(event_count) DESC, value) AS place
      FROM issue_tags WHERE ${ofParts} AND key IN (
        SELECT key FROM issue_tags WHERE ${ofParts} GROUP BY key
        ORDER BY key NOT IN (${promotedKeys}), sum(event_count) DESC, key LIMIT ${limits.tagKeysPerIssue})
      GROUP BY key, value) AS tags
    GROUP BY key, kept`
  run`INSERT INTO issue_users (project_id, issue_id, user_hash)
    SELECT DISTINCT ${key}, user_hash FROM issue_users WHERE ${ofParts}
    ORDER BY user_hash LIMIT ${limits.usersPerIssueExact}`
  run`INSERT INTO issue_traits (project_id, issue_id, key, value)
    SELECT DISTINCT ${key}, key, value FROM issue_traits WHERE ${ofParts}`
  run`INSERT INTO issue_environments (project_id, issue_id, environment)
    SELECT DISTINCT ${key}, environment FROM issue_environments WHERE ${ofParts}`
}

/** The row shows the issue's latest event, like that of every issue. The state is unchanged. */
function sumRow(statements: PartStatements, { projectId, issueId }: IssueKey): void {
  const { run, all } = statements
  // In a fixed order: it determines the last digit of the sum, and a test compares the engines.
  const trends = all`SELECT trend_fast, trend_slow FROM issue_parts
    WHERE project_id = ${projectId} AND issue_id = ${issueId} ORDER BY trend_fast, trend_slow`
  const trend = sumTrends(
    trends.map((row) => ({ fast: Number(row['trend_fast']), slow: Number(row['trend_slow']) })),
  )
  const userCount = countUsers(statements, { projectId, issueId })
  const parts = fragment`FROM issue_parts p WHERE p.project_id = issues.project_id AND p.issue_id = issues.id`
  run`UPDATE issues SET
      (event_count, expired_event_count) = (SELECT sum(event_count), sum(expired_event_count) ${parts}),
      (first_seen_at, first_event_id) = (SELECT first_seen_at, first_event_id ${parts}
        ORDER BY first_seen_at, first_event_id LIMIT 1),
      (last_seen_at, latest_event_id, type, title, subtitle, culprit, level, platform, logger, message) = (
        SELECT last_seen_at, latest_event_id, type, title, subtitle, culprit, level, platform, logger, message ${parts}
        ORDER BY last_seen_at DESC, latest_event_id DESC LIMIT 1),
      first_release = (SELECT first_release ${parts} AND first_release IS NOT NULL
        ORDER BY first_seen_at, first_event_id LIMIT 1),
      last_release = (SELECT last_release ${parts} AND last_release IS NOT NULL
        ORDER BY last_seen_at DESC, latest_event_id DESC LIMIT 1),
      user_count = ${userCount}, trend_fast = ${trend.fast}, trend_slow = ${trend.slow}, trend = ${trendOrder(trend)}
    WHERE project_id = ${projectId} AND id = ${issueId}`
}

/** Writes the search words of the issue's row. */
function writeWords({ run, all, issueText }: PartStatements, { projectId, issueId }: IssueKey): void {
  const [row] = all`SELECT title, subtitle, culprit, coalesce(message, '') AS message FROM issues
    WHERE project_id = ${projectId} AND id = ${issueId}`
  if (row === undefined) return
  const text = {
    title: String(row['title']),
    subtitle: String(row['subtitle']),
    culprit: String(row['culprit']),
    message: String(row['message']),
  }
  issueText.run(projectId, issueId, issueTextColumns(text))
  run`UPDATE issues SET text_hash = ${issueTextHash(text)} WHERE project_id = ${projectId} AND id = ${issueId}`
}

function countUsers({ all }: PartStatements, { projectId, issueId }: IssueKey): number {
  const [row] = all`SELECT count(*) AS kept, max(user_hash) AS largest FROM issue_users
    WHERE project_id = ${projectId} AND issue_id = ${issueId}`
  const kept = Number(row?.['kept'] ?? 0)
  return kept < limits.usersPerIssueExact ? kept : estimateUserCount(Number(row?.['largest']))
}

interface CounterMove {
  projectId: number
  from: number
  to: number
}

function moveCounters(statements: PartStatements, { projectId, from, to }: CounterMove): void {
  deleteCounters(statements, { projectId, issueId: to })
  for (const { table } of counters) {
    statements.run`UPDATE ${table} SET issue_id = ${to} WHERE project_id = ${projectId} AND issue_id = ${from}`
  }
}

function copyCounters({ run }: PartStatements, { projectId, from, to }: CounterMove): void {
  for (const { table, columns } of counters) {
    run`INSERT INTO ${table} (project_id, issue_id, ${columns})
      SELECT project_id, cast(${to} as bigint), ${columns} FROM ${table}
      WHERE project_id = ${projectId} AND issue_id = ${from}`
  }
}

function deleteCounters({ run }: PartStatements, { projectId, issueId }: IssueKey): void {
  for (const { table } of counters) {
    run`DELETE FROM ${table} WHERE project_id = ${projectId} AND issue_id = ${issueId}`
  }
}
