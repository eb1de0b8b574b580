import { sql } from 'kysely'
import { inEveryStatus } from '#search/expression.ts'
import { limits } from '#server/limits.ts'
import { perEngine } from '#server/store/engine/per-engine.ts'
import { barsOf, parseBars, selectBars } from '#server/store/issues/bars.ts'
import { selectLabels, toLabels, type LabelsRow } from '#server/store/issues/labels.ts'
import type { BarSpan, IssueListRow, IssueSort, IssueStatus } from '#server/store/issues/records.ts'
import { issueStatuses } from '#server/store/issues/records.ts'
import { issueColumns, toIssueSummary, type IssueColumns } from '#server/store/issues/row.ts'
import { toKeysetPage, type Cursor } from '#server/store/keyset-page.ts'
import { prepareQuery } from '#server/store/prepared-query.ts'
import type { Db } from '#server/store/schema/database.ts'
import { evaluateCandidates, isOneSlice, readCandidates, readMatchingCandidates } from './candidates.ts'
import type { CountedTerm } from './driving-term.ts'
import { createOrder, issueCursors, type FoundIssue, type IssueOrder, type IssuePosition } from './order.ts'
import { planScan, planSearch, type IssueFilter, type SearchPlan } from './plan.ts'
import { scanIssues, type Scan } from './scan.ts'
import { countFound, countStatuses, noIssues, toStatusCounts, type StatusCounts } from './status-counts.ts'

export interface IssueListQuery extends IssueFilter {
  /** The listed statuses; the counts are of all. */
  statuses: readonly IssueStatus[]
  sort: IssueSort
  /** The counted statuses; all by default. */
  counted?: readonly IssueStatus[]
  /** The period of the bars of each row. */
  bars: BarSpan
  /** Counts only events of this environment in the bars. */
  environment?: string
  /** From another page; a damaged cursor returns the first page. */
  cursor?: string
  /** Rows of a page. */
  limit: number
  /** Maximum duration of the search in milliseconds; `limits.searchMs` by default. */
  timeLimitMs?: number
}

export interface IssuePage {
  /** Largest sort value first: the latest time or the highest count. */
  issues: IssueListRow[]
  /** Absent on the last page. */
  nextCursor?: string
  /** Absent on the first page. */
  previousCursor?: string
  /** Present if the page ended at the scan limit and more may follow: the link that continues the scan. */
  cutShort?: 'next' | 'previous'
  /** Matching issues by status. */
  counts: StatusCounts
}

/**
 * A page of the stream, and the number of issues of each status. The work is bounded: each statement reads at
 * most `limits.searchSliceReads` rows, and the search ends after `limits.searchMs`.
 */
export async function listIssues(db: Db, query: IssueListQuery): Promise<IssuePage> {
  const plan = await planSearch(db, query)
  if (plan.context.projects.length === 0) return { issues: [], counts: noIssues }
  const cursor = issueCursors(query.sort).parse(query.cursor)
  const order = createOrder(query.sort, cursor?.side === 'before')
  const timeLimitMs = query.timeLimitMs ?? limits.searchMs
  const startedAt = performance.now()
  const isOver = () => performance.now() - startedAt > timeLimitMs
  const search: Search = { plan, query, order, isOver, ...(cursor && { cursor }) }
  const { counts, ...scan } = plan.drivingTerm
    ? await searchCandidates(db, search, plan.drivingTerm)
    : await searchByScan(db, search)
  const page = toPage(search, scan)
  const [issues, issueCounts] = await Promise.all([
    readRows(db, query, page.issues),
    counts ?? countAll(db, search),
  ])
  return { ...page, issues, counts: issueCounts }
}

interface Search {
  plan: SearchPlan
  query: IssueListQuery
  order: IssueOrder
  cursor?: Cursor<IssuePosition>
  isOver: () => boolean
}

/** The found issues: up to one more than the page, which shows whether another page follows. */
type Searched = Scan & { counts?: StatusCounts }

/** Reads the few issues of the driving term, sorts them and evaluates those of the page first. */
async function searchCandidates(
  db: Db,
  { plan, query, order, cursor, isOver }: Search,
  drivingTerm: CountedTerm,
): Promise<Searched> {
  const { context } = plan
  const ofEveryStatus = { expression: inEveryStatus(plan.expression) }
  const { condition: fulfilled } = drivingTerm
  const scanPlan = planScan(ofEveryStatus, { statuses: issueStatuses, sort: query.sort, fulfilled })
  const { statuses } = planScan(plan, query)
  const candidateQuery = { drivingTerm, scanPlan, context, order }
  if (isOneSlice(candidateQuery)) {
    const page = { statuses, from: cursor?.position, limit: query.limit + 1 }
    const { found, counts } = await readMatchingCandidates(db, candidateQuery, page)
    return { found, counts: toStatusCounts(counts) }
  }
  const candidates = await readCandidates(db, candidateQuery)
  const isOfPage = (issue: FoundIssue) =>
    statuses.some((status) => status === issue.status) &&
    (cursor === undefined || order.compare(cursor.position, issue) < 0)
  const evaluate = (issues: readonly FoundIssue[]) =>
    evaluateCandidates(db, issues, { scanPlan, context, isOver })
  const ofPage = await evaluate(candidates.filter(isOfPage))
  const others = await evaluate(candidates.filter((issue) => !isOfPage(issue)))
  const found = ofPage.found.slice(0, query.limit + 1)
  const [end] = found.length > query.limit ? [] : ofPage.open
  const isMore = ofPage.open.length + others.open.length > 0
  return { found, ...(end && { end }), counts: countFound([...ofPage.found, ...others.found], isMore) }
}

/** Scans the index of the order, status by status. */
async function searchByScan(db: Db, search: Search): Promise<Searched> {
  const { plan, query, order, cursor, isOver } = search
  const { context } = plan
  const scanPlan = planScan(plan, query)
  const bounds = { from: cursor?.position, limit: query.limit + 1, most: limits.scannedIssues, isOver }
  const scans = await Promise.all(
    scanPlan.statuses.map((status) => scanIssues(db, { scanPlan, context, status, order, ...bounds })),
  )
  return mergeScans(scans, { order, limit: query.limit + 1 })
}

function countAll(db: Db, { plan, query, isOver }: Search): Promise<StatusCounts> {
  const ofEveryStatus = { expression: inEveryStatus(plan.expression) }
  const scanPlan = planScan(ofEveryStatus, { statuses: query.counted ?? issueStatuses, sort: 'last_seen' })
  return countStatuses(db, { scanPlan, context: plan.context, isOver })
}

/** One status may have been scanned further than the status that ends the page. */
function mergeScans(scans: readonly Scan[], { order, limit }: { order: IssueOrder; limit: number }): Scan {
  const [end] = scans.flatMap((scan) => scan.end ?? []).toSorted(order.compare)
  const found = scans
    .flatMap((scan) => scan.found)
    .filter((issue) => end === undefined || order.compare(issue, end) < 0)
    .toSorted(order.compare)
  return found.length >= limit || end === undefined ? { found: found.slice(0, limit) } : { found, end }
}

interface KeyPage extends Omit<IssuePage, 'issues' | 'counts'> {
  issues: FoundIssue[]
}

function toPage({ query: { limit, sort }, order, cursor }: Search, { found, end }: Scan): KeyPage {
  const opposite = createOrder(sort, !order.isBackwards)
  const { rows, ...cursors } = toKeysetPage(found, {
    cursor,
    codec: issueCursors(sort),
    limit,
    positionOf: ({ value, issueId }) => ({ value, issueId }),
    end: end && order.before(end),
    toOpposite: opposite.before,
  })
  return { issues: rows, ...cursors, ...(end && { cutShort: order.isBackwards ? 'previous' : 'next' }) }
}

interface RowsQuery {
  issueIds: readonly number[]
  projectIds: readonly number[]
  /** The start of the bars, in Unix milliseconds. */
  from: number
  /** The only environment that the bars count; not used by a query for all of them. */
  environment: string
}

/** The rows of issues with bars of one span. */
function prepareRows(span: BarSpan, { isOneEnvironment }: { isOneEnvironment: boolean }) {
  const { stepMs, count } = barsOf(span, 0)
  return prepareQuery((db, { issueIds, projectIds, from, environment }: RowsQuery) =>
    db
      .selectFrom('issues as i')
      .innerJoin('projects as p', 'p.id', 'i.project_id')
      .select([
        ...issueColumns,
        ...selectLabels(from),
        selectBars({ from, stepMs, count }, isOneEnvironment ? environment : undefined).as('bars'),
      ])
      .where(sql<boolean>`i.id in (${sql.join(issueIds)})`)
      // Names the nodes on Citus. SQLite would look up each id in each project.
      .where(
        perEngine<boolean>({
          sqlite: sql`true`,
          postgres: sql`i.project_id in (${sql.join(projectIds)})`,
        }),
      ),
  )
}

const rowsOf = {
  '24h': prepareRows('24h', { isOneEnvironment: false }),
  '14d': prepareRows('14d', { isOneEnvironment: false }),
}
const rowsOfEnvironment = {
  '24h': prepareRows('24h', { isOneEnvironment: true }),
  '14d': prepareRows('14d', { isOneEnvironment: true }),
}

/** The rows of a page, in its order. One statement. */
async function readRows(
  db: Db,
  query: IssueListQuery,
  issues: readonly FoundIssue[],
): Promise<IssueListRow[]> {
  if (issues.length === 0) return []
  const { bars, now, environment } = query
  const select = environment === undefined ? rowsOf[bars] : rowsOfEnvironment[bars]
  const rows = await select(db, {
    issueIds: issues.map(({ issueId }) => issueId),
    projectIds: query.projects.map(({ id }) => id),
    from: barsOf(bars, now).from,
    environment: environment ?? '',
  })
  const byId = new Map(rows.map((row) => [row.issue_id, row]))
  return issues.flatMap(({ issueId }) => {
    const row = byId.get(issueId)
    return row === undefined ? [] : [toListRow(row, query)]
  })
}

function toListRow(
  row: IssueColumns & LabelsRow & { bars: string },
  { bars: span, now, environment }: IssueListQuery,
): IssueListRow {
  const bars = parseBars(row.bars, span)
  // Of an issue that began within the bars all events are in them; the bars themselves may be a second
  // behind.
  const isWhole = environment === undefined && row.first_seen_at >= barsOf(span, now).from
  const spanEventCount = isWhole ? row.event_count : bars.reduce((sum, count) => sum + count, 0)
  return Object.assign(toIssueSummary(row), toLabels(row), { bars, spanEventCount })
}
