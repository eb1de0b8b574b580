import { sql, type Kysely } from 'kysely'
import type { Database } from '#server/store/schema/database.ts'
import type { SearchContext } from './condition.ts'
import type { CountedDriver } from './driver.ts'
import type { FoundIssue, IssueOrder } from './order.ts'
import type { Reading } from './plan.ts'
import { allOf, inProjects, rangeSql, restSql, sliceSize } from './reading-sql.ts'

/** What is read where an index leads to few issues. */
export interface CandidateQuery {
  driver: CountedDriver
  reading: Reading
  context: SearchContext
  order: IssueOrder
}

interface CandidateRow {
  issue_id: number
  value: number
  status: string
}

/** Issues that an index leads to, in order, and the reading with what is still to be evaluated for each. */
export interface Candidates {
  issues: FoundIssue[]
  reading: Reading
}

/**
 * The issues that a driver leads to. Where they are no more than one slice, the same statement evaluates them.
 */
export async function readCandidates(
  db: Kysely<Database>,
  { driver, reading, context, order }: CandidateQuery,
): Promise<Candidates> {
  const isOneSlice = driver.count <= sliceSize(reading)
  const { rest: _rest, ...evaluated } = reading
  const conditions = [
    sql`issues.id in (${driver.ids})`,
    inProjects(context),
    ...rangeSql(reading, context),
    ...(isOneSlice ? restSql(reading, context) : []),
  ]
  const { rows } =
    await sql<CandidateRow>`select issues.id as issue_id, ${order.column} as value, issues.status
    from issues where ${allOf(conditions)} ${order.orderBy}`.execute(db)
  const issues = rows.map(({ issue_id: issueId, value, status }) => ({ issueId, value, status }))
  return { issues, reading: isOneSlice ? evaluated : reading }
}

/**
 * The candidates that are found, slice by slice until the time is over; `open` are those that were not
 * evaluated.
 */
export async function evaluateCandidates(
  db: Kysely<Database>,
  candidates: readonly FoundIssue[],
  { reading, context, isOver }: Pick<CandidateQuery, 'reading' | 'context'> & { isOver: () => boolean },
): Promise<{ found: FoundIssue[]; open: readonly FoundIssue[] }> {
  if (reading.rest === undefined) return { found: [...candidates], open: [] }
  const size = sliceSize(reading)
  const found: FoundIssue[] = []
  for (let at = 0; at < candidates.length; at += size) {
    if (at > 0 && isOver()) return { found, open: candidates.slice(at) }
    const slice = candidates.slice(at, at + size)
    const ids = JSON.stringify(slice.map(({ issueId }) => issueId))
    const conditions = [sql`issues.id in (select value from json_each(${ids}))`, ...restSql(reading, context)]
    const { rows } = await sql<{ issue_id: number }>`select issues.id as issue_id from issues
      where ${allOf(conditions)}`.execute(db)
    const matching = new Set(rows.map(({ issue_id }) => issue_id))
    found.push(...slice.filter(({ issueId }) => matching.has(issueId)))
  }
  return { found, open: [] }
}
