import { sql, type Kysely, type RawBuilder } from 'kysely'
import { limits } from '#server/limits.ts'
import {
  allOf,
  askedColumns,
  askedConditions,
  atMost,
  rangeConditions,
  startConditions,
  walkedConditions,
} from './issue-filter.ts'
import type { IssueFilter } from './issue-filter.ts'
import type { StatusCount } from './issue-list-views.ts'
import type { IssueStart } from './issue-start.ts'
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
  const { rows: counted } = await selectCounts(filter).execute(db)
  for (const { status, matched, is_more } of counted) {
    const known = issueStatuses.find((each) => each === status)
    if (known) counts[known] = toStatusCount(matched, is_more === 1)
  }
  return counts
}

interface CountedRow {
  status: string
  matched: number
  is_more: number
}

function selectCounts(filter: IssueFilter): RawBuilder<CountedRow> {
  if (filter.start !== undefined) return countFromStart(filter, filter.start)
  const isAsked = askedConditions({ ...filter, sort: 'last_seen' }).length > 0
  const ofEach = issueStatuses.map((status) =>
    isAsked ? countAsked({ ...filter, status }) : countPlainly({ ...filter, status }),
  )
  return sql`${sql.join(ofEach, sql` union all `)}`
}

const none: StatusCount = { count: 0, isMore: false }

function toStatusCount(matched: number, isMore: boolean): StatusCount {
  const most = limits.countedIssues
  return matched > most ? { count: most, isMore: true } : { count: matched, isMore }
}

/** The few issues that reading begins with, once for all statuses. */
function countFromStart(filter: IssueFilter, start: IssueStart): RawBuilder<CountedRow> {
  return sql`select issues.status, count(*) as matched, 0 as is_more from issues
    where ${allOf([start.isAmong, ...startConditions(filter)])} group by issues.status`
}

type StatusFilter = IssueFilter & { status: IssueStatus }

/** An index of each project has the status, so that the rows need not be read: here no order is to be kept. */
function countPlainly(filter: StatusFilter): RawBuilder<CountedRow> {
  const { projectIds, status } = filter
  const conditions = [
    sql`issues.project_id in (${sql.join([...projectIds])})`,
    sql`issues.status = ${status}`,
    ...rangeConditions({ ...filter, sort: 'last_seen' }),
  ]
  return sql`select ${status} as status, count(*) as matched, 0 as is_more from (
    select 1 from issues where ${allOf(conditions)} limit ${limits.countedIssues + 1})`
}

/**
 * Asks the `limits.askedIssues` seen last, one after the other, until there are more than are counted. Where there are not, it
 * matters whether these were all.
 */
function countAsked(filter: StatusFilter): RawBuilder<CountedRow> {
  const walked = walkedConditions({ ...filter, sort: 'last_seen' })
  const walk = (columns: RawBuilder<unknown>, most: number) => sql`select ${columns} from issues
    where ${allOf(walked)} order by last_seen_at desc, id desc limit ${atMost(most, filter)}`
  const { askedIssues, countedIssues } = limits
  return sql`select ${filter.status} as status, matched,
      case when matched > ${countedIssues} then 1
        else (select count(*) from (${walk(sql`1`, askedIssues + 1)})) > ${askedIssues} end as is_more
    from (select count(*) as matched from (select 1 from (${walk(askedColumns, askedIssues)}) as issues
      where ${allOf(askedConditions({ ...filter, sort: 'last_seen' }))} limit ${countedIssues + 1}))`
}
