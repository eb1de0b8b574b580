import { sql, type RawBuilder, type Selection } from 'kysely'
import { limits } from '#server/limits.ts'
import type { Database } from '#server/store/schema/database.ts'
import type { IssueLabels } from './records.ts'

/** True if the latest change of the issue's status was a reopening by escalation. */
export function isEscalating(table: 'issues' | 'i'): RawBuilder<boolean> {
  const issue = sql.raw(table)
  return sql<boolean>`exists (select 1 from issue_activity a where a.project_id = ${issue}.project_id and a.issue_id = ${issue}.id
    and a.kind = 'reopened' and a.at = ${issue}.status_changed_at and a.detail like '%"escalation"%')`
}

/** True if an event of the issue `i` was not caught by the application. */
export const isUnhandled = sql<number>`exists (select 1 from issue_tags t
  where t.project_id = i.project_id and t.issue_id = i.id and t.key = 'handled' and t.value = 'no')`

/**
 * The labels of the issue `i`, with events counted from an instant on. The hours are added up by environment
 * only if there are several environments, because most issues have one.
 */
export function selectLabels(from: number) {
  const ofIssue = sql`from issue_environments v where v.project_id = i.project_id and v.issue_id = i.id`
  const newest = sql`(select h.environment, h.event_count from issue_hours h where h.project_id = i.project_id
    and h.issue_id = i.id and h.hour >= ${from} order by h.hour desc limit ${limits.environmentHours})`
  const mostFrequent = sql`(select environment from ${newest} as newest group by environment
    order by sum(event_count) desc, environment limit 1)`
  const count = sql<number>`(select count(*) from (select 1 ${ofIssue} limit ${limits.issueEnvironmentsCounted}) as counted)`
  const hasSeveral = sql`(select 1 ${ofIssue} limit 1 offset 1) is not null`
  return [
    isUnhandled.as('is_unhandled'),
    sql<number>`${isEscalating('i')}`.as('is_escalating'),
    sql<string | null>`coalesce(case when ${hasSeveral} then ${mostFrequent} end,
      (select min(v.environment) ${ofIssue}))`.as('environment'),
    count.as('environment_count'),
    sql<number>`coalesce((select u.user_count from project_user_counts u where u.project_id = i.project_id), 0)`.as(
      'project_user_count',
    ),
  ] as const
}

/** A row of `selectLabels`. */
export type LabelsRow = Selection<Database, never, ReturnType<typeof selectLabels>[number]>

/** Below this number of users, the share of a single user would look significant. */
const leastProjectUsers = 20
const leastIssueUsers = 2

/**
 * The share of a project's users that an issue affects, in whole percent: at most 100, and 100 only if it
 * affects all of them. Undefined where it is not meaningful: for one user, a project with few users, or less
 * than 1 %.
 *
 * Both counts are of all time. Above 1,024 users both are estimates, so the issue's can exceed the project's.
 */
export function userSharePercent(userCount: number, projectUserCount: number): number | undefined {
  if (projectUserCount < leastProjectUsers || userCount < leastIssueUsers) return undefined
  if (userCount >= projectUserCount) return 100
  const percent = (userCount / projectUserCount) * 100
  return percent < 1 ? undefined : Math.min(99, Math.round(percent))
}

/** The labels of a row. */
export function toLabels(row: LabelsRow & { user_count: number }): IssueLabels {
  const sharePercent = userSharePercent(row.user_count, row.project_user_count)
  return {
    ...(row.is_unhandled === 1 && { isUnhandled: true }),
    ...(row.is_escalating === 1 && { isEscalating: true }),
    ...(row.environment !== null && row.environment !== '' && { environment: row.environment }),
    environmentCount: row.environment_count,
    userSharePercent: sharePercent,
  }
}
