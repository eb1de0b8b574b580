import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { firstOf24Hours, toHours24 } from './hour.ts'
import { formatIssueCursor, parseIssueCursor } from './issue-cursor.ts'
import type { IssueCursor } from './issue-cursor.ts'
import { issueColumns, toIssueSummary } from './issue-row.ts'
import type { IssueRow } from './issue-row.ts'
import { chooseTagFilter, hasTag, isInRareTag } from './issue-tag-filter.ts'
import type { Tag, TagFilter } from './issue-tag-filter.ts'
import type { Database } from './schema.ts'
import { issueStatuses } from './views.ts'
import type { HourCounts, IssueListRow, IssueSort, IssueStatus, IssueSummary } from './views.ts'

export interface IssueListQuery {
  status: IssueStatus | 'all'
  /** Those that the reader reaches: no issue of another one is found. */
  projectIds: readonly number[]
  projectId?: number
  /** Only issues with an event in it; their hours count that environment's events, their totals all. */
  environment?: string
  /** Only issues that have an event with each of these. Under load a new tag can be found a second later. */
  tags?: readonly Tag[]
  sort: IssueSort
  /** From an earlier page; a damaged one is the first page. */
  cursor?: string
  /** Rows of a page. */
  limit: number
  /** Unix milliseconds; the last hour is the one it falls into. */
  now: number
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
} as const satisfies Record<IssueSort, keyof IssueRow>

/** A page of the stream. Two statements, both by index; one when the page is empty, one more with tags. */
export async function listIssues(db: Kysely<Database>, query: IssueListQuery): Promise<IssuePage> {
  const cursor = parseIssueCursor(query.cursor, query.sort)
  const tagFilter = query.tags?.length ? await chooseTagFilter(db, query.tags) : undefined
  const found = await selectPage(db, { ...query, ...(tagFilter && { tagFilter }) }, cursor)
  // One row more than shown tells whether the list goes on in the direction it was read.
  const goesOn = found.length > query.limit
  const rows = found.slice(0, query.limit)
  if (cursor?.side === 'before') rows.reverse()
  const hours = await selectHours(db, rows, query)
  const issues = rows.map((row) =>
    Object.assign(toIssueSummary(row), { hours24: toHours24(hours.get(row.issue_id) ?? [], query.now) }),
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
function cursorsOf(rows: IssueRow[], { sort, goesOn, cursor }: ReadPage) {
  const hasNext = cursor?.side === 'before' ? true : goesOn
  const hasPrevious = cursor?.side === 'before' ? goesOn : cursor !== undefined
  const place = (row: IssueRow | undefined) =>
    row ? { value: row[sortColumns[sort]], issueId: row.issue_id } : cursor
  const last = place(rows.at(-1))
  const first = place(rows[0])
  return {
    ...(hasNext && last && { nextCursor: formatIssueCursor({ ...last, sort, side: 'after' }) }),
    ...(hasPrevious && first && { previousCursor: formatIssueCursor({ ...first, sort, side: 'before' }) }),
  }
}

interface PageQuery extends IssueListQuery {
  tagFilter?: TagFilter
}

/**
 * One row more than the page, in the direction of reading. The rows are cut before the join, so that the index gives
 * the order and the join touches a page of issues only.
 */
function selectPage(db: Kysely<Database>, query: PageQuery, cursor?: IssueCursor): Promise<IssueRow[]> {
  const column = sortColumns[query.sort]
  const direction = cursor?.side === 'before' ? 'asc' : 'desc'
  return db
    .selectFrom(selectIssues(db, query, cursor).as('i'))
    .innerJoin('projects as p', 'p.id', 'i.project_id')
    .select(issueColumns)
    .orderBy(`i.${column}`, direction)
    .orderBy('i.id', direction)
    .limit(query.limit + 1)
    .execute()
}

/** Every index of the list begins with the status, so "all" is the first rows of each of the three. */
function selectIssues(db: Kysely<Database>, query: PageQuery, cursor?: IssueCursor) {
  if (query.status !== 'all') return selectIssuesOfStatus(db, { ...query, status: query.status }, cursor)
  const [first, ...rest] = issueStatuses.map((status) =>
    db.selectFrom(selectIssuesOfStatus(db, { ...query, status }, cursor).as(status)).selectAll(),
  )
  if (!first) throw new Error('there is no issue status')
  return rest.reduce((all, one) => all.unionAll(one), first)
}

function selectIssuesOfStatus(
  db: Kysely<Database>,
  query: PageQuery & { status: IssueStatus },
  cursor?: IssueCursor,
) {
  const column = sortColumns[query.sort]
  const { projectId, projectIds, environment, tagFilter } = query
  const rare = tagFilter?.rare
  let select = db
    .selectFrom('issues')
    .selectAll()
    // The plus keeps the planner from reading project by project: the order comes from an index of all of them.
    .where(sql<boolean>`+project_id in (${sql.join(projectIds)})`)
  if (rare === undefined) {
    select = select.where('status', '=', query.status)
  } else {
    // The plus hides the column from SQLite's planner, which would walk the index of the order instead.
    select = select.where(sql`+status`, '=', query.status).where((is) => isInRareTag(is, rare))
  }
  for (const tag of tagFilter?.others ?? []) select = select.where((is) => hasTag(is, tag))
  if (projectId !== undefined) select = select.where('project_id', '=', projectId)
  if (environment !== undefined) {
    select = select.where((is) =>
      is.exists(
        is
          .selectFrom('issue_environments as v')
          .select(sql.lit(1).as('one'))
          .whereRef('v.project_id', '=', 'issues.project_id')
          .whereRef('v.issue_id', '=', 'issues.id')
          .where('v.environment', '=', environment),
      ),
    )
  }
  if (cursor) {
    const beyond = cursor.side === 'before' ? '>' : '<'
    select = select.where((is) =>
      is(is.refTuple(column, 'id'), beyond, is.tuple(cursor.value, cursor.issueId)),
    )
  }
  const direction = cursor?.side === 'before' ? 'asc' : 'desc'
  return select
    .orderBy(column, direction)
    .orderBy('id', direction)
    .limit(query.limit + 1)
}

type CountedHour = { hour: number; event_count: number }

async function selectHours(
  db: Kysely<Database>,
  issues: IssueRow[],
  { environment, now }: IssueListQuery,
): Promise<Map<number, CountedHour[]>> {
  const keys = issues.map((issue) => sql`(${issue.project_id}, ${issue.issue_id})`)
  if (keys.length === 0) return new Map()
  let select = db
    .selectFrom('issue_hours')
    .select((of) => ['issue_id', 'hour', of.fn.sum<number>('event_count').as('event_count')])
    .where(sql<boolean>`(project_id, issue_id) in (values ${sql.join(keys)})`)
    .where('hour', '>=', firstOf24Hours(now))
    .groupBy(['project_id', 'issue_id', 'hour'])
  if (environment !== undefined) select = select.where('environment', '=', environment)
  return Map.groupBy(await select.execute(), (row) => row.issue_id)
}

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
 * A cross join keeps SQLite's planner from turning the order around: one seek per project instead of all issues.
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
  const hours = rows.map(({ hour, hour_event_count }) => ({
    hour: hour ?? 0,
    event_count: hour_event_count ?? 0,
  }))
  return { issue: toIssueSummary(row), hours24: toHours24(hours, now) }
}
