import { sql, type RawBuilder } from 'kysely'
import { allOf, askedColumns, askedConditions, atMost, walkedConditions } from './issue-filter.ts'
import type { SortedFilter } from './issue-filter.ts'
import { orderOf } from './issue-order.ts'
import type { IssuePlace, PageRange } from './issue-order.ts'
import type { IssueStatus } from './issue-views.ts'

/** True where what an issue must fulfil is asked of one after the other, in the order of an index. */
export function isAsked(filter: SortedFilter): boolean {
  return filter.start === undefined && askedConditions(filter).length > 0
}

/** Which issues are on the page: one more than its rows of each status, found among the first `most` of it. */
export function selectAskedIssues(range: PageRange, most: number): RawBuilder<AskedIssue> {
  const { query, cursor } = range
  const { orderBy } = orderOf(query.sort, cursor)
  const asked = allOf(askedConditions(query))
  return ofEachStatus(range, (status) => {
    const walk = sql`select ${askedColumns} from issues where ${walked(range, status)} ${orderBy} limit ${atMost(most, query)}`
    return sql`select project_id, id, ${status} as status from (${walk}) as issues
      where ${asked} ${orderBy} limit ${query.limit + 1}`
  })
}

/** An issue of the page, by its key. */
interface AskedIssue {
  project_id: number
  id: number
  status: string
}

/** The first issue that was not asked any more; none where the page was filled, or the list ended, before that. */
export interface SearchEnd {
  end_value: number | null
  end_id: number | null
}

/**
 * One row, for a statement with the rows of `selectAskedIssues` as `page`: the first issue behind the `most` that were asked of a status with
 * fewer rows; of several statuses the one that comes first. It is counted off only then, which takes its time.
 */
export function selectSearchEnd(range: PageRange, most: number): RawBuilder<SearchEnd> {
  const { query, cursor } = range
  const { column, orderBy, direction } = orderOf(query.sort, cursor)
  const ends = ofEachStatus(range, (status) => {
    const isFilled = sql`(select count(*) from page where status = ${status}) > ${query.limit}`
    return sql`select ${column} as end_value, issues.id as end_id from issues where ${walked(range, status)} ${orderBy}
      limit case when ${isFilled} then 0 else ${atMost(1, query)} end offset ${most}`
  })
  const order = sql.raw(direction)
  return sql`(select end_value, end_id from (select 1)
    left join (select * from ${ends} order by end_value ${order}, end_id ${order} limit 1))`
}

/** The place that a row tells of. */
export function toEndPlace(row: SearchEnd | undefined): IssuePlace | undefined {
  const { end_value: value, end_id: issueId } = row ?? { end_value: null, end_id: null }
  return value === null || issueId === null ? undefined : { value, issueId }
}

function walked({ query, cursor }: PageRange, status: IssueStatus): RawBuilder<unknown> {
  const { beyond } = orderOf(query.sort, cursor)
  return allOf([...walkedConditions({ ...query, status }), ...(cursor === undefined ? [] : [beyond(cursor)])])
}

function ofEachStatus<Row>(
  { query }: PageRange,
  select: (status: IssueStatus) => RawBuilder<unknown>,
): RawBuilder<Row> {
  const selects = query.statuses.map((status) => sql`select * from (${select(status)})`)
  return sql`(${sql.join(selects, sql` union all `)})`
}
