import { sql, type Kysely } from 'kysely'
import { perEngine } from '#server/store/engine/per-engine.ts'
import type { Database } from '#server/store/schema/database.ts'
import type { SearchContext } from './condition.ts'
import type { CountedTerm } from './driving-term.ts'
import type { FoundIssue, IssueOrder } from './order.ts'
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

/** The issues of the driving term, in order, and the plan with the residual that is not yet evaluated. */
export interface Candidates {
  issues: FoundIssue[]
  scanPlan: ScanPlan
}

/** Reads the issues of the driving term. If they fit into one slice, the same statement evaluates them. */
export async function readCandidates(
  db: Kysely<Database>,
  { drivingTerm, scanPlan, context, order }: CandidateQuery,
): Promise<Candidates> {
  const isOneSlice = drivingTerm.count <= sliceSize(scanPlan)
  const { residual: _residual, ...evaluated } = scanPlan
  const conditions = [
    sql`issues.id in (${drivingTerm.ids})`,
    inProjects(context),
    ...rangeSql(scanPlan, context),
    ...(isOneSlice ? residualSql(scanPlan, context) : []),
  ]
  const { rows } =
    await sql<CandidateRow>`select issues.id as issue_id, ${order.column} as value, issues.status
    from issues where ${allConditions(conditions)} ${order.orderBy}`.execute(db)
  const issues = rows.map(({ issue_id: issueId, value, status }) => ({ issueId, value, status }))
  return { issues, scanPlan: isOneSlice ? evaluated : scanPlan }
}

/**
 * Evaluates the candidates slice by slice until the time is over; `open` are the candidates that were not
 * evaluated.
 */
export async function evaluateCandidates(
  db: Kysely<Database>,
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
