import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { SearchTerm } from '#search/search-term.ts'
import { barsOf, parseBars, selectBars } from './issue-bars.ts'
import { issueCondition } from './issue-conditions.ts'
import { formatIssueCursor, parseIssueCursor } from './issue-cursor.ts'
import type { IssueCursor } from './issue-cursor.ts'
import type { IssueListRow } from './issue-list-views.ts'
import { issueColumns, toIssueSummary } from './issue-row.ts'
import type { IssueRow } from './issue-row.ts'
import type { ChosenStart } from './issue-start.ts'
import type { BarSpan, IssueSort, IssueStatus } from './issue-views.ts'
import type { Database } from './schema.ts'

/** Which issues a list holds. */
export interface IssueFilter {
  statuses: readonly IssueStatus[]
  /** Of those that the reader reaches: no issue of another project is found. */
  projectIds: readonly number[]
  /** Only issues with an event in it; their bars count that environment's events, their totals all. */
  environment?: string
  /** What else each must fulfil; those about statuses and projects are taken care of above. Under load a new tag can be found a second later. */
  terms?: readonly SearchTerm[]
  /** The few issues that reading begins with, where there are any such. */
  start?: ChosenStart
  /** Only issues that happened since, in Unix milliseconds. */
  since?: number
  /** Who reads: `assigned:me`. */
  userId: string
  /** Unix milliseconds; the last hour is the one it falls into. */
  now: number
}

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
}

const sortColumns = {
  last_seen: 'last_seen_at',
  first_seen: 'first_seen_at',
  events: 'event_count',
  users: 'user_count',
  trend: 'trend',
} as const satisfies Record<IssueSort, string>

type ListedRow = IssueRow & { trend: number; bars: string }

/** A page of the stream. One statement: by the index of its order, or from the start of the filter. */
export async function listIssues(db: Kysely<Database>, query: IssueListQuery): Promise<IssuePage> {
  if (query.projectIds.length === 0 || query.statuses.length === 0) return { issues: [] }
  const cursor = parseIssueCursor(query.cursor, query.sort)
  const found = await selectPage(db, query, cursor)
  // One row more than shown tells whether the list goes on in the direction it was read.
  const goesOn = found.length > query.limit
  const rows = found.slice(0, query.limit)
  if (cursor?.side === 'before') rows.reverse()
  const issues = rows.map((row) =>
    Object.assign(toIssueSummary(row), { bars: parseBars(row.bars, query.bars) }),
  )
  return { issues, ...cursorsOf(rows, { sort: query.sort, goesOn, ...(cursor && { cursor }) }) }
}

interface ReadPage {
  sort: IssueSort
  /** There are more rows in the direction of reading. */
  goesOn: boolean
  cursor?: IssueCursor
}

/** Behind a page that was reached by a cursor there is at least the page one came from. */
function cursorsOf(rows: ListedRow[], { sort, goesOn, cursor }: ReadPage) {
  const hasNext = cursor?.side === 'before' ? true : goesOn
  const hasPrevious = cursor?.side === 'before' ? goesOn : cursor !== undefined
  const place = (row: ListedRow | undefined) =>
    row ? { value: row[sortColumns[sort]], issueId: row.issue_id } : cursor
  const last = place(rows.at(-1))
  const first = place(rows[0])
  return {
    ...(hasNext && last && { nextCursor: formatIssueCursor({ ...last, sort, side: 'after' }) }),
    ...(hasPrevious && first && { previousCursor: formatIssueCursor({ ...first, sort, side: 'before' }) }),
  }
}

/**
 * One row more than the page, in the direction of reading. The rows are cut before the join, so that the index gives
 * the order and the join, with the bars, touches a page of issues only.
 */
function selectPage(db: Kysely<Database>, query: IssueListQuery, cursor?: IssueCursor): Promise<ListedRow[]> {
  const column = sortColumns[query.sort]
  const direction = cursor?.side === 'before' ? 'asc' : 'desc'
  return db
    .selectFrom(selectIssues(db, query, cursor).as('i'))
    .innerJoin('projects as p', 'p.id', 'i.project_id')
    .select(issueColumns)
    .select(['i.trend', selectBars(barsOf(query.bars, query.now), query.environment).as('bars')])
    .orderBy(`i.${column}`, direction)
    .orderBy('i.id', direction)
    .limit(query.limit + 1)
    .execute()
}

/** Every index of the list begins with the status, so several are the first rows of each. */
function selectIssues(db: Kysely<Database>, query: IssueListQuery, cursor?: IssueCursor) {
  const [first, ...rest] = query.statuses.map((status) =>
    db.selectFrom(selectIssuesOfStatus(db, { ...query, status }, cursor).as(status)).selectAll(),
  )
  if (!first) throw new Error('a list shows at least one status')
  return rest.reduce((all, one) => all.unionAll(one), first)
}

function selectIssuesOfStatus(
  db: Kysely<Database>,
  query: IssueListQuery & { status: IssueStatus },
  cursor?: IssueCursor,
) {
  const column = sortColumns[query.sort]
  const direction = cursor?.side === 'before' ? 'asc' : 'desc'
  let select = db.selectFrom('issues').selectAll()
  for (const condition of filterConditions(query)) select = select.where(condition)
  if (cursor) {
    const beyond = cursor.side === 'before' ? '>' : '<'
    select = select.where((is) =>
      is(is.refTuple(column, 'id'), beyond, is.tuple(cursor.value, cursor.issueId)),
    )
  }
  return select
    .orderBy(column, direction)
    .orderBy('id', direction)
    .limit(atMost(query.limit + 1, query))
}

/**
 * So many rows, and none where nobody has sent from the environment: asked once, before a row is read. No condition with EXISTS,
 * which SQLite would make the outer loop of the walk, and the order would be lost.
 */
export function atMost(rows: number, { environment, projectIds }: IssueFilter): RawBuilder<number> {
  if (environment === undefined) return sql`${rows}`
  return sql`case when (select 1 from issue_environments n where n.environment = ${environment}
    and n.project_id in (${sql.join([...projectIds])}) limit 1) is null then 0 else ${rows} end`
}

/** A filter, and what the index is walked by: by what happened last unless another order is named. */
type WalkedFilter = IssueFilter & { sort?: IssueSort }

/**
 * What an issue of one status must fulfil. A plus hides a column from SQLite's planner: reading project by project would
 * lose the order, so would reading by the time in another order, and walking the order would lose the start.
 */
export function filterConditions(filter: WalkedFilter & { status: IssueStatus }): RawBuilder<boolean>[] {
  const { start, projectIds, status } = filter
  if (start !== undefined) return [start.isAmong, sql`+issues.status = ${status}`, ...startConditions(filter)]
  const [onlyProject] = projectIds
  return [
    projectIds.length === 1 ? sql`issues.project_id = ${onlyProject}` : inProjects(filter),
    sql`issues.status = ${status}`,
    ...furtherConditions(filter),
  ]
}

/** What those that reading begins with must fulfil besides, whatever their status. */
export function startConditions(filter: WalkedFilter): RawBuilder<boolean>[] {
  return [inProjects(filter), ...furtherConditions(filter)]
}

function inProjects({ projectIds }: IssueFilter): RawBuilder<boolean> {
  return sql`+issues.project_id in (${sql.join([...projectIds])})`
}

function furtherConditions(filter: WalkedFilter): RawBuilder<boolean>[] {
  const { since, sort = 'last_seen' } = filter
  const time = sort === 'last_seen' ? sql`issues.last_seen_at` : sql`+issues.last_seen_at`
  return [...(since === undefined ? [] : [sql<boolean>`${time} >= ${since}`]), ...askedConditions(filter)]
}

/** What is asked of one issue after the other. */
export function askedConditions(filter: IssueFilter): RawBuilder<boolean>[] {
  const rareWords = filter.start?.rareWords ?? []
  const ofTerms = otherTerms(filter).map(
    (term) => rareWords.find((word) => word.term === term)?.isAmong ?? issueCondition(term, filter),
  )
  return filter.environment === undefined ? ofTerms : [...ofTerms, inEnvironment(filter.environment)]
}

/** Terms that neither an index nor the start takes care of. */
export function otherTerms({ terms = [], start }: IssueFilter): SearchTerm[] {
  return terms.filter(
    (term) => term !== start?.term && term.condition.kind !== 'status' && term.condition.kind !== 'project',
  )
}

function inEnvironment(environment: string): RawBuilder<boolean> {
  return sql`exists (select 1 from issue_environments v where v.project_id = issues.project_id
    and v.issue_id = issues.id and v.environment = ${environment})`
}
