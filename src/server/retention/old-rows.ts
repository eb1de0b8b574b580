import { limits } from '#server/limits.ts'
import type { SqlInput } from '#server/store/engine/connection.ts'
import { dayMs, hourMs } from '#time/time-steps.ts'
import type { ExpiryRun } from './expiry/run.ts'
import { deleteRows, hasRows, readRows } from './row-deletion.ts'
import { addRows } from './run-report.ts'
import { deleteOldSessions } from './session-rows.ts'

/** A project and the age limit of its rows. */
export interface AgeLimit {
  projectId: number
  /** Rows from before this instant (Unix milliseconds) are too old. */
  cutoffAt: number
}

/**
 * The rows of a table that are too old. A table whose rows expire by age needs one of these, and no other
 * change here.
 */
interface OldRows {
  table: string
  /** The columns of the primary key after the project. */
  key: readonly string[]
  /** Its parameters are the project and an instant. */
  where: string
  /** The instant before which rows are too old, if it is not the project's own limit. */
  before?: (limit: AgeLimit, now: number) => number
  /** Rows per statement, if rows are large. */
  rowsPerStatement?: number
}

/** Counters are kept for the default age of events, even if a project keeps its events for a shorter time. */
const countedBefore = ({ cutoffAt }: AgeLimit, now: number) =>
  Math.min(cutoffAt, now - limits.retentionDays * dayMs)

const oldRows: readonly OldRows[] = [
  ...(
    [
      { step: 'minute', hours: limits.figureMinuteHours },
      { step: 'hour', hours: limits.figureHourDays * 24 },
      { step: 'day', hours: limits.retentionDays * 24 },
    ] as const
  ).flatMap(({ step, hours }) =>
    (['transaction', 'release', 'span', 'group', 'vital'] as const).map((series) => ({
      table: 'figures',
      key: ['series', 'step', 'at', 'name_id', 'facet'],
      where: `project_id = ? AND series = '${series}' AND step = '${step}' AND at < ?`,
      before: (_limit: AgeLimit, now: number) => now - hours * hourMs,
    })),
  ),
  {
    table: 'figure_names',
    key: ['id'],
    where: 'project_id = ? AND seen_day < ?',
    before: (_limit, now) => now - limits.retentionDays * dayMs,
  },
  {
    table: 'outcome_hours',
    key: ['hour', 'category', 'outcome', 'reason'],
    where: 'project_id = ? AND hour < ?',
    before: countedBefore,
  },
  {
    table: 'filter_samples',
    key: ['reason', 'day', 'received_at', 'id'],
    where: 'project_id = ? AND day < ?',
    before: (_limit, now) => now - (limits.filterSampleDays + 1) * dayMs,
    rowsPerStatement: 100,
  },
  {
    table: 'dead_letters',
    key: ['id'],
    where: 'project_id = ? AND received_at < ?',
    rowsPerStatement: 10,
  },
  {
    // Attachments whose event never arrived, or arrived again after its deletion.
    table: 'attachments',
    key: ['event_id', 'number'],
    where: `project_id = ? AND received_at < ? AND NOT EXISTS (
      SELECT 1 FROM events e WHERE e.project_id = attachments.project_id AND e.event_id = attachments.event_id)`,
    rowsPerStatement: 1,
  },
  {
    // The last seen environment is kept, because it has the project's last activity.
    table: 'environments',
    key: ['name'],
    where: `project_id = ? AND last_seen_at < ? AND last_seen_at < (
      SELECT max(last_seen_at) FROM environments newest WHERE newest.project_id = environments.project_id)`,
  },
  {
    table: 'artifact_bundles',
    key: ['id'],
    where: 'project_id = ? AND used_at < ?',
    before: (_limit, now) => now - limits.artifactUnusedDays * dayMs,
  },
  {
    // An upload that was interrupted while it was unpacked.
    table: 'artifact_bundles',
    key: ['id'],
    where: 'project_id = ? AND uploaded_at < ? AND is_complete = 0',
    before: (_limit, now) => now - limits.chunkMaxAgeMs,
  },
  {
    table: 'alert_decisions',
    key: ['issue_id', 'rule_id', 'transition_id'],
    where: 'project_id = ? AND decided_at < ?',
    before: countedBefore,
  },
  {
    // Sets of a day are deleted after the last decision of that day.
    table: 'alert_rule_sets',
    key: ['id'],
    where: 'project_id = ? AND at < ?',
    before: (limit, now) => countedBefore(limit, now) - 2 * dayMs,
  },
  {
    table: 'alert_windows',
    key: ['window_ms', 'bucket_at', 'issue_id'],
    where: 'project_id = ? AND bucket_at < ?',
    before: (_limit, now) => now - limits.alertWindowsMs,
  },
  {
    table: 'alert_thresholds',
    key: ['issue_id', 'rule_id'],
    where: 'project_id = ? AND fired_at < ?',
    before: countedBefore,
  },
  {
    table: 'monitor_check_ins',
    key: ['id', 'monitor_id', 'environment'],
    where: 'project_id = ? AND at < ?',
    before: (_limit, now) => now - limits.checkInAgeMs,
  },
  {
    // Uptime checks are frequent; their counts are kept.
    table: 'monitor_check_ins',
    key: ['id', 'monitor_id', 'environment'],
    where: 'project_id = ? AND at < ? AND seen IS NOT NULL',
    before: (_limit, now) => now - limits.uptimeResultAgeMs,
  },
  {
    table: 'monitor_incidents',
    key: ['monitor_id', 'environment', 'began_at'],
    // The status page lists outages by their end.
    where: 'project_id = ? AND ended_at < ?',
    before: (_limit, now) => now - limits.checkInAgeMs,
  },
  {
    table: 'monitor_counts',
    key: ['monitor_id', 'environment', 'step_ms', 'at', 'status'],
    where: 'project_id = ? AND step_ms < 86400000 AND at < ?',
    before: (_limit, now) => now - limits.monitorFineCountAgeMs,
  },
  {
    table: 'monitor_counts',
    key: ['monitor_id', 'environment', 'step_ms', 'at', 'status'],
    where: 'project_id = ? AND step_ms = 86400000 AND at < ?',
    before: (_limit, now) => now - limits.checkInAgeMs - dayMs,
  },
  {
    table: 'inbox_items',
    key: ['issue_id', 'user_id', 'id'],
    where: 'project_id = ? AND at < ?',
    before: countedBefore,
  },
  {
    table: 'expired_digests',
    key: ['id'],
    where: 'project_id = ? AND expired_at < ?',
    before: (_limit, now) => now - limits.expiredDigestDays * dayMs,
  },
]

/** Deletes old rows that depend neither on an event nor on an issue. */
export async function deleteOldRows(run: ExpiryRun, limit: AgeLimit): Promise<void> {
  for (const { table, key, where, before, rowsPerStatement = 200 } of oldRows) {
    const values = [limit.projectId, before?.(limit, run.now) ?? limit.cutoffAt]
    await deleteRows(run, { table, key, where, rowsPerStatement }, values)
  }
  await deleteOldSessions(run, limit)
  for (const scanned of scannedRows) await scanRows(run, scanned, limit)
  await deleteOldHours(run, { ...limit, cutoffAt: countedBefore(limit, run.now) })
}

/** Tables without an index by age, which each commit would maintain: they are scanned in key order. */
const scannedRows = [
  {
    table: 'releases',
    column: 'version',
    // Old series of a release are deleted first.
    where: `last_seen_at < ? AND NOT EXISTS (
      SELECT 1 FROM session_series s WHERE s.project_id = releases.project_id AND s.version = releases.version)`,
    start: '',
  },
  {
    table: 'event_feedback',
    column: 'event_id',
    where: `received_at < ? AND NOT EXISTS (
      SELECT 1 FROM events e WHERE e.project_id = event_feedback.project_id AND e.event_id = event_feedback.event_id)`,
    start: new Uint8Array(),
  },
] as const

const rowsPerScan = 1_000

async function scanRows(
  run: ExpiryRun,
  { table, column, where, start }: (typeof scannedRows)[number],
  { projectId, cutoffAt }: AgeLimit,
): Promise<void> {
  const range = `project_id = ? AND ${column} > ?`
  const findEnd = `SELECT ${column} AS "end" FROM ${table} WHERE ${range} ORDER BY ${column} LIMIT 1 OFFSET ${rowsPerScan}`
  let from: string | Uint8Array = start
  for (;;) {
    const [row] = await readRows(run, findEnd, [projectId, from])
    const end: unknown = row?.['end']
    const isLast = typeof end !== 'string' && !(end instanceof Uint8Array)
    const scanned = isLast
      ? { table, where: `${range} AND ${where}`, values: [projectId, from, cutoffAt] }
      : {
          table,
          where: `${range} AND ${column} <= ? AND ${where}`,
          values: [projectId, from, end, cutoffAt],
        }
    if (await hasRows(run, scanned, scanned.values)) await deleteScanned(run, scanned)
    if (isLast) return
    from = end
  }
}

function deleteScanned(
  { store, pacer, report }: ExpiryRun,
  { table, where, values }: { table: string; where: string; values: readonly SqlInput[] },
): Promise<void> {
  const statement = store.connection.prepare(`DELETE FROM ${table} WHERE ${where}`)
  return pacer.slice(() => addRows(report, table, Number(statement.run(...values).changes)))
}

/** Issues per read: few enough for a short one, regardless of their age. */
const issuesPerStep = 500

/** Deletes old hours of issues that still exist. A slice deletes those of some of the issues read. */
async function deleteOldHours(run: ExpiryRun, { projectId, cutoffAt }: AgeLimit): Promise<void> {
  // No index combines the age of both tables, and a condition on it would scan all issues for an old one.
  const nextIssues = `SELECT id, CASE WHEN first_seen_at < ? THEN (
      SELECT min(hour) FROM issue_hours h WHERE h.project_id = ? AND h.issue_id = i.id) END AS oldest_hour
    FROM (
      SELECT id, project_id, first_seen_at FROM issues UNION ALL SELECT id, project_id, first_seen_at FROM issue_parts) AS i
    WHERE project_id = ? AND id > ? ORDER BY id LIMIT ${issuesPerStep}`
  const deleteHours = run.store.connection.prepare(
    'DELETE FROM issue_hours WHERE project_id = ? AND issue_id = ? AND hour < ?',
  )
  // The counters of an issue before its merge are under its negative id.
  let last = Number.MIN_SAFE_INTEGER
  for (;;) {
    const issues = await readRows(run, nextIssues, [cutoffAt, projectId, projectId, last])
    const due = issues
      .filter(({ oldest_hour: hour }) => typeof hour === 'number' && hour < cutoffAt)
      .map(({ id }) => Number(id))
    const deleteNext = () => {
      const issueId = due.at(-1)
      if (issueId === undefined) return true
      addRows(run.report, 'issue_hours', Number(deleteHours.run(projectId, issueId, cutoffAt).changes))
      due.pop()
      return due.length === 0
    }
    if (due.length > 0) await run.pacer.repeat(deleteNext)
    if (issues.length < issuesPerStep) return
    last = Number(issues.at(-1)?.['id'])
  }
}
