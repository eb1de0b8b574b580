import { sql, type Kysely, type RawBuilder } from 'kysely'
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

/**
 * Scans issues by index. With a residual it scans slice by slice, with two statements each: the first finds
 * the end of the slice in the index alone.
 */
export async function scanIssues(db: Kysely<Database>, query: ScanQuery): Promise<Scan> {
  const { scanPlan, limit, most, isOver, order } = query
  if (scanPlan.residual === undefined)
    return { found: await readFound(db, query, { from: query.from, limit }) }
  const size = sliceSize(scanPlan)
  const found: FoundIssue[] = []
  let { from } = query
  for (let scanned = 0; ;) {
    const rows = Math.min(size, most - scanned)
    const end = await findSliceEnd(db, query, { from, rows })
    found.push(...(await readFound(db, query, { from, end, limit: limit - found.length })))
    if (end === undefined || found.length >= limit) return { found }
    scanned += rows
    if (scanned >= most || isOver()) return { found, end }
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

async function readFound(
  db: Kysely<Database>,
  query: ScanQuery,
  { from, end, limit }: { from: IssuePosition | undefined; end?: IssuePosition | undefined; limit: number },
): Promise<FoundIssue[]> {
  const { order, scanPlan, context, status } = query
  const conditions = [
    ...walkSql(query, from),
    ...(end === undefined ? [] : [order.isBefore(end)]),
    ...residualSql(scanPlan, context),
  ]
  const { rows } = await sql<PositionRow>`select issues.id as issue_id, ${order.column} as value from issues
    where ${allConditions(conditions)} ${order.orderBy} limit ${limit}`.execute(db)
  return rows.map(({ issue_id: issueId, value }) => ({ issueId, value, status }))
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
