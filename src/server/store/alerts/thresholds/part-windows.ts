import { listWindowBuckets } from '#alerts/threshold.ts'
import type { IssueKey } from '#server/store/issues/records.ts'
import { fragment, toFragment, toList, type PartStatements } from '#server/store/triage/part-statements.ts'
import { mergeUserHashes } from './window-users.ts'
import { listWindowLengths, watchingRulesSql, windowIdOfPart } from './windows.ts'

/**
 * The counts for thresholds of merge targets. A target has the sum of its parts, and each part has its
 * own counts, so that an unmerge restores them. Call the steps in the transaction of the merge.
 */

/** Copies the counts of an issue to its own part. */
export function copyWindowsToOwnPart(statements: PartStatements, { projectId, issueId }: IssueKey): void {
  for (const window of listWindows(statements, projectId)) {
    const to = windowIdOfPart(issueId)
    deleteCounts(statements, { projectId, issueId: to, ...window })
    statements.run`INSERT INTO alert_windows (project_id, window_ms, bucket_at, issue_id, event_count, user_hashes)
      SELECT project_id, window_ms, bucket_at, cast(${to} as bigint), event_count, user_hashes FROM alert_windows
      WHERE ${inWindow(projectId, window)} AND issue_id = ${issueId}`
  }
}

/**
 * Moves the counts of an issue to the part that it has become. The counts of an issue that was itself merged
 * are deleted, because its parts have them. A threshold that it has crossed is crossed for `intoId`, too.
 */
export function joinWindows(
  statements: PartStatements,
  { projectId, issueId, intoId, isMerged }: IssueKey & { intoId: number; isMerged: boolean },
): void {
  for (const window of listWindows(statements, projectId)) {
    if (isMerged) deleteCounts(statements, { projectId, issueId, ...window })
    else moveCounts(statements, { projectId, from: issueId, to: windowIdOfPart(issueId), ...window })
  }
  statements.run`INSERT INTO alert_thresholds (project_id, issue_id, rule_id, fired_at)
    SELECT project_id, cast(${intoId} as bigint), rule_id, fired_at FROM alert_thresholds
    WHERE project_id = ${projectId} AND issue_id = ${issueId}
    ON CONFLICT (project_id, issue_id, rule_id) DO UPDATE SET fired_at = excluded.fired_at
    WHERE excluded.fired_at > alert_thresholds.fired_at`
  moveStates(statements, { projectId, from: issueId, to: windowIdOfPart(issueId) })
}

/** Moves the counts and the crossed thresholds of a part to the issue that it has become. */
export function splitWindows(
  statements: PartStatements,
  { projectId, partId }: { projectId: number; partId: number },
): void {
  const move = { projectId, from: windowIdOfPart(partId), to: partId }
  for (const window of listWindows(statements, projectId)) moveCounts(statements, { ...move, ...window })
  moveStates(statements, move)
}

/** Makes the counts of a merge target the sum of its parts. */
export function sumWindows(statements: PartStatements, { projectId, issueId }: IssueKey): void {
  for (const window of listWindows(statements, projectId)) {
    deleteCounts(statements, { projectId, issueId, ...window })
    const rows = statements.all`SELECT bucket_at, event_count, user_hashes FROM alert_windows
      WHERE ${inWindow(projectId, window)} AND issue_id IN (
        SELECT -abs(id) FROM issue_parts WHERE project_id = ${projectId} AND issue_id = ${issueId})`
    for (const [bucketAt, parts] of Map.groupBy(rows, (row) => Number(row['bucket_at']))) {
      const users = parts.flatMap(({ user_hashes }) => (user_hashes instanceof Uint8Array ? user_hashes : []))
      const eventCount = parts.reduce((sum, { event_count }) => sum + Number(event_count), 0)
      const values = [
        projectId,
        window.windowMs,
        bucketAt,
        issueId,
        eventCount,
        mergeUserHashes(users) ?? null,
      ]
      statements.run`INSERT INTO alert_windows (project_id, window_ms, bucket_at, issue_id, event_count, user_hashes)
        VALUES (${toList(values)})`
    }
  }
}

/** Deletes the counts of the own part of an issue that is no longer merged. */
export function deleteWindowsOfOwnPart(statements: PartStatements, { projectId, issueId }: IssueKey): void {
  for (const window of listWindows(statements, projectId))
    deleteCounts(statements, { projectId, issueId: windowIdOfPart(issueId), ...window })
}

/** The buckets of a window, and of the one before, that comparisons read. */
interface WatchedBuckets {
  windowMs: number
  buckets: number[]
}

function listWindows({ all, clock }: PartStatements, projectId: number): WatchedBuckets[] {
  const rules = all`${toFragment(watchingRulesSql)} AND p.id = ${projectId}`
  const now = clock()
  return listWindowLengths(rules.map(({ rule }) => String(rule))).map((windowMs) => ({
    windowMs,
    buckets: listWindowBuckets(windowMs, now, 2),
  }))
}

/** The key up to the issue. */
function inWindow(projectId: number, { windowMs, buckets }: WatchedBuckets) {
  return fragment`project_id = ${projectId} AND window_ms = ${windowMs} AND bucket_at IN (${toList(buckets)})`
}

function deleteCounts(
  { run }: PartStatements,
  { projectId, issueId, ...window }: IssueKey & WatchedBuckets,
): void {
  run`DELETE FROM alert_windows WHERE ${inWindow(projectId, window)} AND issue_id = ${issueId}`
}

interface Move {
  projectId: number
  from: number
  to: number
}

/** Rows of a deleted issue with the same id may be left. */
function moveCounts(
  statements: PartStatements,
  { projectId, from, to, ...window }: Move & WatchedBuckets,
): void {
  deleteCounts(statements, { projectId, issueId: to, ...window })
  statements.run`UPDATE alert_windows SET issue_id = ${to}
    WHERE ${inWindow(projectId, window)} AND issue_id = ${from}`
}

function moveStates({ run }: PartStatements, { projectId, from, to }: Move): void {
  run`DELETE FROM alert_thresholds WHERE project_id = ${projectId} AND issue_id = ${to}`
  run`UPDATE alert_thresholds SET issue_id = ${to} WHERE project_id = ${projectId} AND issue_id = ${from}`
}
