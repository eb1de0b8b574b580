import type { Kysely } from 'kysely'
import { limits } from '#server/limits.ts'
import { isAsked, selectAskedIssues, selectSearchEnd, toEndPlace } from './issue-asked-page.ts'
import type { SearchEnd } from './issue-asked-page.ts'
import { barsOf, parseBars, selectBars } from './issue-bars.ts'
import { formatIssueCursor, parseIssueCursor } from './issue-cursor.ts'
import { atMost, filterConditions } from './issue-filter.ts'
import type { IssueFilter } from './issue-filter.ts'
import type { IssueListRow } from './issue-list-views.ts'
import { including, orderOf } from './issue-order.ts'
import type { IssuePlace, PageRange } from './issue-order.ts'
import { issueColumns, toIssueSummary } from './issue-row.ts'
import type { IssueRow } from './issue-row.ts'
import type { BarSpan, IssueSort, IssueStatus } from './issue-views.ts'
import type { Database } from './schema.ts'

export interface IssueListQuery extends IssueFilter {
  sort: IssueSort
  /** What each row's bars span. */
  bars: BarSpan
  /** From an earlier page; a damaged one is the first page. */
  cursor?: string
  /** Rows of a page. */
  limit: number
}

export interface IssuePage {
  /** Largest first: latest, or most. */
  issues: IssueListRow[]
  /** Absent on the last page. */
  nextCursor?: string
  /** Absent on the first page. */
  previousCursor?: string
  /** Present when the page ends after `limits.askedIssues` issues that were asked one by one, and more are left: which page goes on. */
  cutShort?: 'next' | 'previous'
}

type ListedRow = IssueRow & { trend: number; bars: string }

/** A page of the stream. One statement: by the index of its order, or from the start of the filter. */
export async function listIssues(db: Kysely<Database>, query: IssueListQuery): Promise<IssuePage> {
  if (query.projectIds.length === 0 || query.statuses.length === 0) return { issues: [] }
  const cursor = parseIssueCursor(query.cursor, query.sort)
  const { found, end } = await (isAsked(query) ? readAskedPage : readPage)(db, { query, cursor })
  // One row more than shown tells whether the list goes on in the direction it was read.
  const goesOn = found.length > query.limit
  const rows = found.slice(0, query.limit)
  const isBackwards = cursor?.side === 'before'
  const { columnName } = orderOf(query.sort, cursor)
  const placeOf = (row: ListedRow | undefined): IssuePlace | undefined =>
    row && { value: row[columnName], issueId: row.issue_id }
  const furthest = goesOn ? placeOf(rows.at(-1)) : end && including(end, isBackwards ? 'before' : 'after')
  if (isBackwards) rows.reverse()
  // Behind a page that was reached by a cursor there is at least the page one came from: all that the cursor left out.
  const next = isBackwards ? (placeOf(rows.at(-1)) ?? including(cursor, 'after')) : furthest
  const previous = isBackwards ? furthest : cursor && (placeOf(rows[0]) ?? including(cursor, 'before'))
  const issues = rows.map((row) =>
    Object.assign(toIssueSummary(row), { bars: parseBars(row.bars, query.bars) }),
  )
  const { sort } = query
  return {
    issues,
    ...(next && { nextCursor: formatIssueCursor({ ...next, sort, side: 'after' }) }),
    ...(previous && { previousCursor: formatIssueCursor({ ...previous, sort, side: 'before' }) }),
    ...(!goesOn && end && { cutShort: isBackwards ? 'previous' : 'next' }),
  }
}

/** What is read: one row more than the page, in the direction of reading. */
interface ReadPage {
  found: ListedRow[]
  /** The first issue that was not asked any more, where reading ended before that. */
  end: IssuePlace | undefined
}

type ListRange = PageRange & { query: IssueListQuery }

const listedColumns = ({ bars, now, environment }: IssueListQuery) =>
  [...issueColumns, 'i.trend', selectBars(barsOf(bars, now), environment).as('bars')] as const

/**
 * The rows are cut before the join, so that the index gives the order and the join, with the bars, touches a page of issues
 * only.
 */
async function readPage(db: Kysely<Database>, range: ListRange): Promise<ReadPage> {
  const { query, cursor } = range
  const { columnName, direction } = orderOf(query.sort, cursor)
  const found = await db
    .selectFrom(selectIssues(db, range).as('i'))
    .innerJoin('projects as p', 'p.id', 'i.project_id')
    .select(listedColumns(query))
    .orderBy(`i.${columnName}`, direction)
    .orderBy('i.id', direction)
    .limit(query.limit + 1)
    .execute()
  return { found, end: undefined }
}

/** Every index of the list begins with the status, so several are the first rows of each. */
function selectIssues(db: Kysely<Database>, range: ListRange) {
  const [first, ...rest] = range.query.statuses.map((status) =>
    db.selectFrom(selectIssuesOfStatus(db, range, status).as(status)).selectAll(),
  )
  if (!first) throw new Error('a list shows at least one status')
  return rest.reduce((all, one) => all.unionAll(one), first)
}

function selectIssuesOfStatus(db: Kysely<Database>, { query, cursor }: ListRange, status: IssueStatus) {
  const { columnName, direction, beyond } = orderOf(query.sort, cursor)
  let select = db.selectFrom('issues').selectAll()
  for (const condition of filterConditions({ ...query, status })) select = select.where(condition)
  if (cursor !== undefined) select = select.where(beyond(cursor))
  return select
    .orderBy(columnName, direction)
    .orderBy('id', direction)
    .limit(atMost(query.limit + 1, query))
}

/** As above, from the first issues of each status only. The first row comes also when nothing was found: it says where the search ended. */
async function readAskedPage(db: Kysely<Database>, range: ListRange): Promise<ReadPage> {
  const { query, cursor } = range
  const { columnName, direction, isBeforeEnd } = orderOf(query.sort, cursor)
  const read = await db
    .with(
      (table) => table('page').materialized(),
      () => selectAskedIssues(range, limits.askedIssues),
    )
    .selectFrom(selectSearchEnd(range, limits.askedIssues).as('search'))
    .leftJoin('page', (join) => join.onTrue())
    .leftJoin('issues as i', (join) =>
      join.onRef('i.project_id', '=', 'page.project_id').onRef('i.id', '=', 'page.id'),
    )
    .leftJoin('projects as p', 'p.id', 'i.project_id')
    .select(listedColumns(query))
    .select(['search.end_value', 'search.end_id'])
    .orderBy(`i.${columnName}`, direction)
    .orderBy('i.id', direction)
    .limit(query.limit + 1)
    .execute()
  const end = toEndPlace(read[0])
  // Of several statuses one may have been asked further than the one that ends the page.
  const isInPage = (row: ListedRow) =>
    end === undefined || isBeforeEnd(end, { value: row[columnName], issueId: row.issue_id })
  return { found: read.filter(isFound).filter(isInPage), end }
}

type AskedRow = { [Name in keyof ListedRow]: ListedRow[Name] | null } & SearchEnd

function isFound(row: AskedRow): row is ListedRow & SearchEnd {
  return row.issue_id !== null
}
