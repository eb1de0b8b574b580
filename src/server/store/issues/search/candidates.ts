import { sql, type RawBuilder } from 'kysely'
import { perEngine } from '#server/store/engine/per-engine.ts'
import type { IssueStatus } from '#server/store/issues/records.ts'
import type { Db } from '#server/store/schema/database.ts'
import type { SearchContext } from './condition.ts'
import type { CountedTerm } from './driving-term.ts'
import type { FoundIssue, IssueOrder, IssuePosition } from './order.ts'
import { allConditions, inProjects, rangeSql, residualSql, sliceSize } from './plan-sql.ts'
import type { ScanPlan } from './plan.ts'

/** A search with a driving term. */
export interface CandidateQuery {
  drivingTerm: CountedTerm
  scanPlan: ScanPlan
  context: SearchContext
  order: IssueOrder
}

interface CandidateRow {
  issue_id: number
  value: number
  status: string
}

/** True if one statement may evaluate all issues of the driving term. */
export function isOneSlice({
  drivingTerm,
  scanPlan,
}: Pick<CandidateQuery, 'drivingTerm' | 'scanPlan'>): boolean {
  return drivingTerm.count <= sliceSize(scanPlan)
}

/** Reads the issues of the driving term, in order, without evaluating the residual. */
export async function readCandidates(db: Db, query: CandidateQuery): Promise<FoundIssue[]> {
  const { order } = query
  const { rows } =
    await sql<CandidateRow>`select issues.id as issue_id, ${order.column} as value, issues.status
    from issues where ${allConditions(candidateConditions(query))} ${order.orderBy}`.execute(db)
  return rows.map(({ issue_id: issueId, value, status }) => ({ issueId, value, status }))
}

function candidateConditions({ drivingTerm, scanPlan, context }: CandidateQuery): RawBuilder<unknown>[] {
  return [sql`issues.id in (${drivingTerm.ids})`, inProjects(context), ...rangeSql(scanPlan, context)]
}

interface PageRow {
  issue_id: number | null
  value: number | null
  status: string
  issue_count: number | null
}

/** The issues of the driving term that match: those of a page, in order, and how many have each status. */
export async function readMatchingCandidates(
  db: Db,
  query: CandidateQuery,
  page: { statuses: readonly IssueStatus[]; from: IssuePosition | undefined; limit: number },
): Promise<{ found: FoundIssue[]; counts: ReadonlyMap<string, number> }> {
  const { order, scanPlan, context } = query
  const conditions = [...candidateConditions(query), ...residualSql(scanPlan, context)]
  const ofPage = [
    page.statuses.length === 0 ? sql`false` : sql`issues.status in (${sql.join([...page.statuses])})`,
    ...(page.from === undefined ? [] : [order.isBehind(page.from)]),
  ]
  const { rows } = await sql<PageRow>`with matching as materialized (
      select issues.id, ${order.column}, issues.status from issues where ${allConditions(conditions)})
    select * from (select issues.id as issue_id, ${order.column} as value, issues.status, cast(null as bigint) as issue_count
      from matching as issues where ${allConditions(ofPage)} ${order.orderBy} limit ${page.limit}) as page
    union all select null, null, status, count(*) from matching group by status`.execute(db)
  const found = rows.flatMap(({ issue_id: issueId, value, status }) =>
    issueId === null || value === null ? [] : [{ issueId, value, status }],
  )
  const counts = rows.flatMap(({ status, issue_count: count }) =>
    count === null ? [] : [[status, count] as const],
  )
  return { found: found.toSorted(order.compare), counts: new Map(counts) }
}

/**
 * Evaluates the candidates slice by slice until the time is over; `open` are the candidates that were not
 * evaluated.
 */
export async function evaluateCandidates(
  db: Db,
  candidates: readonly FoundIssue[],
  { scanPlan, context, isOver }: Pick<CandidateQuery, 'scanPlan' | 'context'> & { isOver: () => boolean },
): Promise<{ found: FoundIssue[]; open: readonly FoundIssue[] }> {
  if (scanPlan.residual === undefined) return { found: [...candidates], open: [] }
  const size = sliceSize(scanPlan)
  const found: FoundIssue[] = []
  for (let at = 0; at < candidates.length; at += size) {
    if (at > 0 && isOver()) return { found, open: candidates.slice(at) }
    const slice = candidates.slice(at, at + size)
    const ids = JSON.stringify(slice.map(({ issueId }) => issueId))
    const conditions = [
      sql`issues.id in (${perEngine({
        sqlite: sql`select value from json_each(${ids})`,
        postgres: sql`select value::bigint from json_array_elements_text(${ids}::json) as ids (value)`,
      })})`,
      ...residualSql(scanPlan, context),
    ]
    const { rows } = await sql<{ issue_id: number }>`select issues.id as issue_id from issues
      where ${allConditions(conditions)}`.execute(db)
    const matching = new Set(rows.map(({ issue_id }) => issue_id))
    found.push(...slice.filter(({ issueId }) => matching.has(issueId)))
  }
  return { found, open: [] }
}
