import { sql, type RawBuilder } from 'kysely'
import type { SearchCondition, SearchExpression } from '#search/term.ts'
import { limits } from '#server/limits.ts'
import { perEngine } from '#server/store/engine/per-engine.ts'
import { conditionSql, expressionSql } from './condition.ts'
import type { SearchContext } from './condition.ts'
import type { ScanPlan } from './plan.ts'
import { tagGroups } from './tag-groups.ts'

/** True for what fulfils each of the conditions. */
export function allConditions(conditions: readonly RawBuilder<unknown>[]): RawBuilder<boolean> {
  return sql.join([...conditions], sql` and `)
}

/** The range constraints of a plan, on the column that its index is sorted by: a time, a number. */
export function rangeSql({ range }: ScanPlan, context: SearchContext): RawBuilder<boolean>[] {
  return range.map((condition) => conditionSql(condition, context))
}

/**
 * The residual of a plan. Within a CASE, SQLite turns no condition into a join, which takes it a second to
 * plan for twenty, chooses no index by one, and stops at the first that is false. PostgreSQL expects half of
 * the issues to fulfil a boolean CASE, so that it reads them by the index of the order; compared to 1, it
 * expects one of 200, and reads and sorts the table. That is right only for conditions about other tables,
 * each of which it would otherwise read whole once.
 */
export function residualSql({ residual }: ScanPlan, context: SearchContext): RawBuilder<boolean>[] {
  if (residual === undefined) return []
  const condition = expressionSql(residual, context)
  return [
    perEngine<boolean>({
      sqlite: sql`case when ${condition} then 1 else 0 end = 1`,
      postgres: isOfColumns(residual)
        ? sql`case when ${condition} then true else false end`
        : sql`case when ${condition} then 1 else 0 end = 1`,
    }),
  ]
}

/**
 * In one of the projects. A unary plus hides the column from SQLite's planner: a search of the index of
 * projects would lose the order.
 */
export function inProjects({ projects }: SearchContext): RawBuilder<boolean> {
  const column = perEngine({ sqlite: sql`+issues.project_id`, postgres: sql`issues.project_id` })
  return sql`${column} in (${sql.join(projects.map(({ id }) => id))})`
}

/** How many issues one statement evaluates, so that it reads `limits.searchSliceReads` rows at most. */
export function sliceSize({ residual }: ScanPlan): number {
  const costPerIssue = 1 + (residual === undefined ? 0 : costOf(residual))
  return Math.max(1, Math.floor(limits.searchSliceReads / costPerIssue))
}

/**
 * The cost of a condition in rows that are read, where one row at the end of an index is 1. `scan`: the usual
 * values of a key, of 1,000 at most.
 */
const reads = { column: 0.2, text: 4, seek: 2, scan: 20 }

/** Nothing but the row of the issue is read to evaluate an expression. */
function isOfColumns(expression: SearchExpression): boolean {
  if (expression.kind === 'term') return costOfCondition(expression.condition) === reads.column
  if (expression.kind === 'not') return isOfColumns(expression.of)
  return expression.of.every(isOfColumns)
}

/** Rows that are usually read to evaluate an expression for one issue. */
function costOf(expression: SearchExpression): number {
  switch (expression.kind) {
    case 'term':
      return costOfCondition(expression.condition)
    case 'not':
      return costOf(expression.of)
    case 'all':
    case 'any':
      break
  }
  return expression.of.reduce((sum, each) => sum + costOf(each), 0)
}

function costOfCondition(condition: SearchCondition): number {
  switch (condition.kind) {
    case 'status':
    case 'level':
    case 'type':
    case 'project':
    case 'field':
    case 'assignee':
    case 'count':
    case 'seen':
      return reads.column
    case 'state':
    case 'happened':
    case 'issue':
    case 'event':
      return reads.seek
    case 'text':
      return reads.text
    case 'version':
      return 5 * reads.seek
    case 'tag':
    case 'trait':
      break
  }
  return tagGroups(condition).reduce((sum, { by }) => sum + (by === 'scan' ? reads.scan : reads.seek), 0)
}
