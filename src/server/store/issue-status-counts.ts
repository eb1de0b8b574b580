import { sql, type Kysely, type RawBuilder } from 'kysely'
import { limits } from '#server/limits.ts'
import type { StatusCount } from './issue-list-views.ts'
import { filterConditions, otherTerms } from './issue-list.ts'
import type { IssueFilter } from './issue-list.ts'
import { issueStatuses } from './issue-views.ts'
import type { IssueStatus } from './issue-views.ts'
import type { Database } from './schema.ts'

/**
 * How many issues of each status the filter leaves, whatever statuses it names. One statement. Exact up to
 * `limits.countedIssues`; where each issue has to be asked, only the `limits.askedIssues` seen last are.
 */
export async function countIssueStatuses(
  db: Kysely<Database>,
  filter: IssueFilter,
): Promise<Record<IssueStatus, StatusCount>> {
  const counts = { unresolved: none, resolved: none, archived: none }
  if (filter.projectIds.length === 0) return counts
  const isAsked =
    filter.start === undefined && (otherTerms(filter).length > 0 || filter.environment !== undefined)
  const rows = issueStatuses.map((status) =>
    isAsked ? countAsked({ ...filter, status }) : countPlainly({ ...filter, status }),
  )
  const { rows: counted } = await sql<{ status: string; matched: number; is_more: number }>`${sql.join(
    rows,
    sql` union all `,
  )}`.execute(db)
  for (const { status, matched, is_more } of counted) {
    const known = issueStatuses.find((each) => each === status)
    if (known) counts[known] = toStatusCount(matched, is_more === 1)
  }
  return counts
}

const none: StatusCount = { count: 0, isMore: false }

function toStatusCount(matched: number, isMore: boolean): StatusCount {
  const most = limits.countedIssues
  return matched > most ? { count: most, isMore: true } : { count: matched, isMore }
}

type StatusFilter = IssueFilter & { status: IssueStatus }

function countPlainly(filter: StatusFilter): RawBuilder<unknown> {
  return sql`select ${filter.status} as status, count(*) as matched, 0 as is_more from (
    select 1 from issues where ${allOf(countedConditions(filter))} limit ${limits.countedIssues + 1})`
}

/** An index of each project has the status, so that the rows need not be read: here no order is to be kept. */
function countedConditions(filter: StatusFilter): RawBuilder<boolean>[] {
  if (filter.start !== undefined) return filterConditions(filter)
  const { projectIds, status, since } = filter
  return [
    sql`issues.project_id in (${sql.join([...projectIds])})`,
    sql`issues.status = ${status}`,
    ...(since === undefined ? [] : [sql<boolean>`issues.last_seen_at >= ${since}`]),
  ]
}

function countAsked(filter: StatusFilter): RawBuilder<unknown> {
  const { terms: _terms, environment: _environment, ...walked } = filter
  const most = limits.askedIssues
  const asked = filterConditions(filter)
  return sql`select ${filter.status} as status, coalesce(sum(${allOf(asked)}), 0) as matched,
      count(*) >= ${most} as is_more
    from (select * from issues where ${allOf(filterConditions(walked))}
      order by last_seen_at desc, id desc limit ${most}) as issues`
}

function allOf(conditions: RawBuilder<boolean>[]): RawBuilder<boolean> {
  return sql`${sql.join(conditions, sql` and `)}`
}
