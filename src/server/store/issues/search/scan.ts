import { sql, type RawBuilder } from 'kysely'
import { isForPostgres } from '#server/store/engine/per-engine.ts'
import type { IssueStatus } from '#server/store/issues/records.ts'
import type { Db } from '#server/store/schema/database.ts'
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
  /** True after the time of the search. The first slice is always read: every page makes progress. */
  isOver: () => boolean
}

/** The result of a scan. */
export interface Scan {
  found: FoundIssue[]
  /** The first issue that was not scanned; absent if none is left, or enough were found. */
  end?: IssuePosition
}

/** Scans issues by index, with a residual slice by slice. */
export async function scanIssues(db: Db, query: ScanQuery): Promise<Scan> {
  const { found, end } = await scanSlices(db, query, sql`select issue_id, value, 1 as found_count`)
  return { found, ...(end && { end }) }
}

/** Counts the issues that a scan finds, up to its limit. `isMore`: some were not scanned. */
export async function countIssues(db: Db, query: ScanQuery): Promise<{ count: number; isMore: boolean }> {
  const counting = sql`select cast(null as bigint) as issue_id, cast(null as bigint) as value, count(*) as found_count`
  const { count, end } = await scanSlices(db, query, counting)
  return { count, isMore: end !== undefined }
}

interface SliceResult {
  /** Empty if the issues are only counted. */
  found: FoundIssue[]
  count: number
  /** The first issue that was not scanned; undefined if none is left, or enough were found. */
  end: IssuePosition | undefined
}

/**
 * Reads slice by slice until enough issues are found. `select` returns the rows of a slice's found issues, or
 * their number.
 */
async function scanSlices(db: Db, query: ScanQuery, select: RawBuilder<unknown>): Promise<SliceResult> {
  const { scanPlan, limit, most, isOver, order } = query
  const size = scanPlan.residual === undefined ? undefined : sliceSize(scanPlan)
  const found: FoundIssue[] = []
  let count = 0
  let { from } = query
  for (let scanned = 0; ;) {
    const rows = size && Math.min(size, most - scanned)
    const slice = await readSlice(db, query, { from, rows, select })
    found.push(...slice.found)
    count += slice.count
    if (count >= limit) return { found: found.slice(0, limit), count: limit, end: undefined }
    scanned += rows ?? 0
    if (slice.end === undefined || scanned >= most || isOver()) return { found, count, end: slice.end }
    from = order.before(slice.end)
  }
}

/** Issues that are evaluated together, in order. */
interface Slice {
  from: IssuePosition | undefined
  /** The number of issues; undefined: all that are left. */
  rows: number | undefined
  select: RawBuilder<unknown>
}

/** A found issue, the number of found issues, or the first issue after the slice, which counts as 0. */
interface SliceRow {
  issue_id: number | null
  value: number | null
  found_count: number
}

/**
 * SQLite finds the end of a slice first, in the index alone. PostgreSQL limits a subquery instead, and finds
 * the end in the same statement if there are too few issues, because each statement is a round trip. It would
 * plan the statement for each execution if the value of the limit or the status decided about its cost.
 */
async function readSlice(db: Db, query: ScanQuery, slice: Slice): Promise<SliceResult> {
  const { scanPlan, context, order, limit } = query
  const { from, rows, select } = slice
  const walk = walkSql(query, from)
  const residual = residualSql(scanPlan, context)
  const selectFound = (matching: RawBuilder<unknown>) => sql<SliceRow>`${select} from (
    select issues.id as issue_id, ${order.column} as value from ${matching} ${order.orderBy} limit ${sql.lit(limit)}) as issues`
  if (rows !== undefined && isForPostgres(db)) {
    const evaluated = sql`(select * from issues where ${allConditions(walk)} ${order.orderBy} limit ${rows}) as issues`
    const found = selectFound(sql`${evaluated} where ${allConditions(residual)}`)
    const isTooFew = sql`(select coalesce(sum(found_count), 0) from found) < ${limit}`
    const end = selectEnd(query, [isTooFew, ...walk], rows)
    const statement = sql<SliceRow>`with found as materialized (${found}) select * from found union all (${end})`
    return readRows(db, query, statement)
  }
  const end = rows === undefined ? undefined : (await readRows(db, query, selectEnd(query, walk, rows))).end
  const untilEnd = end === undefined ? [] : [order.isBefore(end)]
  const found = selectFound(sql`issues where ${allConditions([...walk, ...untilEnd, ...residual])}`)
  return { ...(await readRows(db, query, found)), end }
}

/** The first issue after a number of them. */
function selectEnd(
  { order }: ScanQuery,
  conditions: readonly RawBuilder<unknown>[],
  rows: number,
): RawBuilder<SliceRow> {
  return sql`select issues.id as issue_id, ${order.column} as value, 0 as found_count from issues
    where ${allConditions(conditions)} ${order.orderBy} limit 1 offset ${rows}`
}

async function readRows(db: Db, { status }: ScanQuery, select: RawBuilder<SliceRow>): Promise<SliceResult> {
  const { rows } = await select.execute(db)
  const result: SliceResult = { found: [], count: 0, end: undefined }
  for (const { issue_id: issueId, value, found_count: count } of rows) {
    result.count += count
    if (issueId === null || value === null) continue
    if (count === 0) result.end = { issueId, value }
    else result.found.push({ issueId, value, status })
  }
  return result
}

/** The scanned range of an index: with one project, of the index that begins with the project. */
function walkSql(
  { scanPlan, context, status, order }: ScanQuery,
  from: IssuePosition | undefined,
): RawBuilder<unknown>[] {
  const [only, second] = context.projects
  return [
    only !== undefined && second === undefined ? sql`issues.project_id = ${only.id}` : inProjects(context),
    sql`issues.status = ${sql.lit(status)}`,
    ...rangeSql(scanPlan, context),
    ...(from === undefined ? [] : [order.isBehind(from)]),
  ]
}
