import { sql, type Kysely, type RawBuilder } from 'kysely'
import { isForPostgres, perEngine } from '#server/store/engine/per-engine.ts'
import type { IssueStatus } from '#server/store/issues/records.ts'
import type { Database } from '#server/store/schema/database.ts'
import type { SearchContext } from './condition.ts'
import type { FoundIssue, IssueOrder, IssuePosition } from './order.ts'
import { allConditions, inProjects, rangeSql, residualSql, sliceSize } from './plan-sql.ts'
import type { ScanPlan } from './plan.ts'

/** A scan of the issues of one status, in the order of its index. */
export interface ScanQuery {
  scanPlan: ScanPlan
  context: SearchContext
  status: IssueStatus
  order: IssueOrder
  /** The scan begins after this position; absent: with the first issue. */
  from?: IssuePosition | undefined
  /** Number of found issues after which the scan ends. */
  limit: number
  /** Number of scanned issues after which the scan ends. */
  most: number
  /**
   * True when the time of the search is over. The first slice is always read, so that every page makes
   * progress.
   */
  isOver: () => boolean
}

/** The result of a scan. */
export interface Scan {
  found: FoundIssue[]
  /** The first issue that was not scanned; absent if none is left, or enough were found. */
  end?: IssuePosition
}

/** Scans issues by index, with a residual slice by slice. */
export async function scanIssues(db: Kysely<Database>, query: ScanQuery): Promise<Scan> {
  const found: FoundIssue[] = []
  const end = await scanSlices(db, query, async (slice) => {
    const rows = await readFound(db, query, slice)
    found.push(...rows)
    return rows.length
  })
  return { found, ...(end && { end }) }
}

/** Counts the issues that a scan finds, up to its limit. `isMore`: some were not scanned. */
export async function countIssues(
  db: Kysely<Database>,
  query: ScanQuery,
): Promise<{ count: number; isMore: boolean }> {
  let count = 0
  const end = await scanSlices(db, query, async (slice) => {
    const found = await countFoundIn(db, query, slice)
    count += found
    return found
  })
  return { count, isMore: end !== undefined }
}

/** Issues that one statement evaluates, in order. */
interface Slice {
  from: IssuePosition | undefined
  /** The number of issues; absent: all that are left. */
  rows?: number
  /** The first issue after the slice; undefined if there is none, and on PostgreSQL. */
  end?: IssuePosition | undefined
  /** Number of found issues after which the statement ends. */
  limit: number
}

/**
 * Reads slice by slice until enough issues are found. Returns the first issue that was not scanned, if there
 * are more.
 *
 * SQLite finds the end of a slice first, in the index alone. PostgreSQL limits a subquery instead, and finds
 * the end only after a slice with too few issues, because each statement is a round trip.
 */
async function scanSlices(
  db: Kysely<Database>,
  query: ScanQuery,
  read: (slice: Slice) => Promise<number>,
): Promise<IssuePosition | undefined> {
  const { scanPlan, limit, most, isOver, order } = query
  let { from } = query
  if (scanPlan.residual === undefined) {
    await read({ from, limit })
    return undefined
  }
  const size = sliceSize(scanPlan)
  const readsFirst = isForPostgres(db)
  let found = 0
  for (let scanned = 0; ;) {
    const rows = Math.min(size, most - scanned)
    const findEnd = () => findSliceEnd(db, query, { from, rows })
    const endAhead = readsFirst ? undefined : await findEnd()
    found += await read({ from, rows, end: endAhead, limit: limit - found })
    if (found >= limit) return undefined
    const end = readsFirst ? await findEnd() : endAhead
    scanned += rows
    if (end === undefined || scanned >= most || isOver()) return end
    from = order.before(end)
  }
}

interface PositionRow {
  issue_id: number
  value: number
}

/** The first issue after this many; undefined if there are no more. */
async function findSliceEnd(
  db: Kysely<Database>,
  query: ScanQuery,
  { from, rows }: { from: IssuePosition | undefined; rows: number },
): Promise<IssuePosition | undefined> {
  const { order } = query
  const { rows: ends } =
    await sql<PositionRow>`select issues.id as issue_id, ${order.column} as value from issues
    where ${allConditions(walkSql(query, from))} ${order.orderBy} limit 1 offset ${rows}`.execute(db)
  return ends[0] && { issueId: ends[0].issue_id, value: ends[0].value }
}

async function readFound(db: Kysely<Database>, query: ScanQuery, slice: Slice): Promise<FoundIssue[]> {
  const { order, status } = query
  const { rows } = await sql<PositionRow>`select issues.id as issue_id, ${order.column} as value
    ${fromMatching(query, slice)} ${order.orderBy} limit ${slice.limit}`.execute(db)
  return rows.map(({ issue_id: issueId, value }) => ({ issueId, value, status }))
}

async function countFoundIn(db: Kysely<Database>, query: ScanQuery, slice: Slice): Promise<number> {
  const { rows } = await sql<{ found: number }>`select count(*) as found from (
    select 1 ${fromMatching(query, slice)} ${query.order.orderBy} limit ${slice.limit}) as counted`.execute(
    db,
  )
  return rows[0]?.found ?? 0
}

/** The clauses `from` and `where` for the matching issues of a slice. */
function fromMatching(query: ScanQuery, { from, rows, end }: Slice): RawBuilder<unknown> {
  const { order, scanPlan, context } = query
  const walk = walkSql(query, from)
  const residual = residualSql(scanPlan, context)
  const untilEnd = [...walk, ...(end === undefined ? [] : [order.isBefore(end)]), ...residual]
  const indexed = sql`from issues where ${allConditions(untilEnd)}`
  if (rows === undefined) return indexed
  return perEngine({
    sqlite: indexed,
    postgres: sql`from (select * from issues where ${allConditions(walk)} ${order.orderBy} limit ${rows}) as issues
      where ${allConditions(residual)}`,
  })
}

/** The scanned range of an index: with one project, of the index that begins with the project. */
function walkSql(
  { scanPlan, context, status, order }: ScanQuery,
  from: IssuePosition | undefined,
): RawBuilder<unknown>[] {
  const [only, second] = context.projects
  return [
    only !== undefined && second === undefined ? sql`issues.project_id = ${only.id}` : inProjects(context),
    sql`issues.status = ${status}`,
    ...rangeSql(scanPlan, context),
    ...(from === undefined ? [] : [order.isBehind(from)]),
  ]
}
