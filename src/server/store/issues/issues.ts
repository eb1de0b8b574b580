import { prepareQuery } from '#server/store/prepared-query.ts'
import type { Db } from '#server/store/schema/database.ts'
import { countPerStep, last24Hours, stepsUntil } from '#time/time-steps.ts'
import type { HourCounts, IssueKey, IssueSummary } from './records.ts'
import { issueColumns, toIssueSummary } from './row.ts'

export interface IssueWithHours {
  issue: IssueSummary
  hours24: HourCounts
}

export interface IssueQuery {
  issueId: number
  /** Projects that the reader has access to. Issues of other projects are not found. */
  projectIds: readonly number[]
  /** Unix milliseconds, in the last hour of the result. */
  now: number
}

/**
 * A cross join keeps SQLite's planner from changing the order: one seek per project instead of a scan of all
 * issues.
 */
const issueInProjects = prepareQuery((db, { issueId, projectIds }: Omit<IssueQuery, 'now'>) =>
  db
    .selectFrom('projects as p')
    .crossJoin('issues as i')
    .select(issueColumns)
    .where('p.id', 'in', projectIds)
    .whereRef('i.project_id', '=', 'p.id')
    .where('i.id', '=', issueId),
)

/** An issue in any of the projects. One statement. */
export async function findIssue(
  db: Db,
  { issueId, projectIds }: Omit<IssueQuery, 'now'>,
): Promise<IssueSummary | undefined> {
  const [row] = await issueInProjects(db, { issueId, projectIds })
  return row && toIssueSummary(row)
}

/** An issue with its last 24 hours. */
export async function findIssueWithHours(
  db: Db,
  { now, ...query }: IssueQuery,
): Promise<IssueWithHours | undefined> {
  const issue = await findIssue(db, query)
  if (issue === undefined) return undefined
  const steps = stepsUntil(now, last24Hours)
  const hours = await listIssueHours(db, { projectId: issue.project.id, issueId: query.issueId }, steps.since)
  return { issue, hours24: countPerStep(hours, steps) }
}

const hoursSince = prepareQuery((db, { projectId, issueId, since }: IssueKey & { since: number }) =>
  db
    .selectFrom('issue_hours')
    .select('hour')
    .select((of) => of.fn.sum<number>('event_count').as('event_count'))
    .where('project_id', '=', projectId)
    .where('issue_id', '=', issueId)
    .where('hour', '>=', since)
    .groupBy('hour'),
)

/** The hours of an issue from an instant on, each with the events of all environments. One statement. */
export async function listIssueHours(
  db: Db,
  { projectId, issueId }: IssueKey,
  since: number,
): Promise<[hour: number, eventCount: number][]> {
  const rows = await hoursSince(db, { projectId, issueId, since })
  return rows.map((row) => [row.hour, row.event_count])
}
