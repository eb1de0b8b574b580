import { sql } from 'kysely'
import { limits } from '#server/limits.ts'
import type { IssueStatus, StatusCount } from '#server/store/issues/records.ts'
import type { Db } from '#server/store/schema/database.ts'
import type { SearchContext } from './condition.ts'
import { createOrder, type FoundIssue } from './order.ts'
import { allConditions, rangeSql } from './plan-sql.ts'
import type { ScanPlan } from './plan.ts'
import { countIssues } from './scan.ts'

/** The number of issues of each status. */
export type StatusCounts = Record<IssueStatus, StatusCount>

const none: StatusCount = { count: 0, isMore: false }

/** Counts of zero. */
export const noIssues: StatusCounts = { unresolved: none, resolved: none, archived: none }

/** Exact counts by status. */
export function toStatusCounts(counts: ReadonlyMap<string, number>): StatusCounts {
  const of = (status: IssueStatus) => upTo(counts.get(status) ?? 0, false)
  return { unresolved: of('unresolved'), resolved: of('resolved'), archived: of('archived') }
}

/** The counts of found issues; lower bounds if `isMore`. */
export function countFound(found: readonly FoundIssue[], isMore: boolean): StatusCounts {
  const count = (status: IssueStatus) => found.filter((issue) => issue.status === status).length
  const of = (status: IssueStatus) => upTo(count(status), isMore)
  return { unresolved: of('unresolved'), resolved: of('resolved'), archived: of('archived') }
}

/**
 * The number of issues of each status that a plan finds. Exact up to `limits.countedIssues`. With a residual,
 * only the `limits.countScannedIssues` last seen issues are counted.
 */
export async function countStatuses(
  db: Db,
  query: { scanPlan: ScanPlan; context: SearchContext; isOver: () => boolean },
): Promise<StatusCounts> {
  const { scanPlan } = query
  if (scanPlan.statuses.length === 0) return noIssues
  if (scanPlan.residual === undefined) return countByIndex(db, query)
  const counts = await Promise.all(
    scanPlan.statuses.map(async (status) => [status, await countByScan(db, { ...query, status })] as const),
  )
  return { ...noIssues, ...Object.fromEntries(counts) }
}

interface CountQuery {
  scanPlan: ScanPlan
  context: SearchContext
  isOver: () => boolean
}

/**
 * In each project, an index begins with the status, so no row is read: the count needs no order. One
 * statement.
 */
async function countByIndex(
  db: Db,
  { scanPlan, context }: Pick<CountQuery, 'scanPlan' | 'context'>,
): Promise<StatusCounts> {
  const counts = scanPlan.statuses.map((status) => {
    const conditions = [
      sql`issues.project_id in (${sql.join(context.projects.map(({ id }) => id))})`,
      sql`issues.status = ${sql.lit(status)}`,
      ...rangeSql(scanPlan, context),
    ]
    return sql`select cast(${sql.lit(status)} as text) as status, count(*) as found from (
      select 1 from issues where ${allConditions(conditions)} limit ${sql.lit(limits.countedIssues + 1)}) as counted`
  })
  const { rows } = await sql<{
    status: string
    found: number
  }>`${sql.join(counts, sql` union all `)}`.execute(db)
  return toStatusCounts(new Map(rows.map(({ status, found }) => [status, found])))
}

async function countByScan(db: Db, query: CountQuery & { status: IssueStatus }): Promise<StatusCount> {
  const { count, isMore } = await countIssues(db, {
    ...query,
    order: createOrder(query.scanPlan.sort, false),
    limit: limits.countedIssues + 1,
    most: limits.countScannedIssues,
  })
  return upTo(count, isMore)
}

/** A count with the limit `limits.countedIssues`; `isMore` marks a lower bound. */
export function upTo(count: number, isMore: boolean): StatusCount {
  const most = limits.countedIssues
  return count > most ? { count: most, isMore: true } : { count, isMore }
}
