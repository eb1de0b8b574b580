import type { Kysely } from 'kysely'
import type { Database } from '#server/store/schema/database.ts'
import { countPerStep, firstOf24Hours, last24Hours, stepsUntil } from '#time/time-steps.ts'
import type { HourCounts, IssueSummary } from './records.ts'
import { issueColumns, toIssueSummary } from './row.ts'

export interface IssueWithHours {
  issue: IssueSummary
  hours24: HourCounts
}

export interface IssueQuery {
  issueId: number
  /** Those that the reader reaches: an issue of another one is not found. */
  projectIds: readonly number[]
  /** Unix milliseconds; the last hour is the one it falls into. */
  now: number
}

/**
 * An issue, in whichever of the projects, with its last 24 hours. One statement.
 *
 * A cross join keeps SQLite's planner from turning the order around: one seek per project instead of all
 * issues.
 */
export async function findIssue(
  db: Kysely<Database>,
  { issueId, projectIds, now }: IssueQuery,
): Promise<IssueWithHours | undefined> {
  const rows = await db
    .selectFrom('projects as p')
    .crossJoin('issues as i')
    .leftJoin('issue_hours as h', (join) =>
      join
        .onRef('h.project_id', '=', 'i.project_id')
        .onRef('h.issue_id', '=', 'i.id')
        .on('h.hour', '>=', firstOf24Hours(now)),
    )
    .select(issueColumns)
    .select(['h.hour', 'h.event_count as hour_event_count'])
    .where('p.id', 'in', projectIds)
    .whereRef('i.project_id', '=', 'p.id')
    .where('i.id', '=', issueId)
    .execute()
  const [row] = rows
  if (!row) return undefined
  const hours = rows.map(({ hour, hour_event_count }) => [hour ?? 0, hour_event_count ?? 0] as const)
  return { issue: toIssueSummary(row), hours24: countPerStep(hours, stepsUntil(now, last24Hours)) }
}
