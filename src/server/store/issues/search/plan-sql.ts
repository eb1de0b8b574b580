import { sql, type RawBuilder } from 'kysely'
import type { SearchCondition, SearchExpression } from '#search/term.ts'
import { limits } from '#server/limits.ts'
import { perEngine } from '#server/store/engine/per-engine.ts'
import { conditionSql, expressionSql, type SearchContext } from './condition.ts'
import type { ScanPlan } from './plan.ts'
import { tagGroups } from './tag-groups.ts'

/** True if all conditions are true. */
export function allConditions(conditions: readonly RawBuilder<unknown>[]): RawBuilder<boolean> {
  return sql.join([...conditions], sql` and `)
}

/** The range constraints of a plan, on the sort column of its index: a time or a number. */
export function rangeSql({ range }: ScanPlan, context: SearchContext): RawBuilder<boolean>[] {
  return range.map((condition) => conditionSql(condition, context))
}

/**
 * The residual of a plan. Inside a CASE, SQLite converts no condition into a join, which takes it a second to
 * plan for twenty of them, chooses no index for one, and stops at the first false condition. PostgreSQL
 * estimates that half of the issues fulfil a boolean CASE, so it reads them by the index of the order. For a
 * CASE compared to 1, it estimates one in 200, and reads and sorts the whole table. That is right only for
 * conditions on other tables, which it would otherwise each read completely once.
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
 * Limits a search to its projects. A unary plus hides the column from SQLite's planner: searching the index
 * of projects would lose the order.
 */
export function inProjects({ projects }: SearchContext): RawBuilder<boolean> {
  const column = perEngine({ sqlite: sql`+issues.project_id`, postgres: sql`issues.project_id` })
  return sql`${column} in (${sql.join(projects.map(({ id }) => id))})`
}

/** The number of issues that one statement evaluates, so that it reads `limits.searchSliceReads` rows. */
export function sliceSize({ residual }: ScanPlan): number {
  const costPerIssue = 1 + (residual === undefined ? 0 : costOf(residual))
  return Math.max(1, Math.floor(limits.searchSliceReads / costPerIssue))
}

/**
 * The cost of a condition in rows read, where a row at the end of an index is 1. `scan`: the typical number
 * of values of a key, whose limit is 1,000.
 */
const reads = { column: 0.2, text: 4, seek: 2, scan: 20 }

/** True if an expression is evaluated from the row of the issue alone. */
function isOfColumns(expression: SearchExpression): boolean {
  if (expression.kind === 'term') return costOfCondition(expression.condition) === reads.column
  if (expression.kind === 'not') return isOfColumns(expression.of)
  return expression.of.every(isOfColumns)
}

/** The rows that are typically read to evaluate an expression for one issue. */
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
      return condition.state === 'escalating' ? reads.seek : reads.column
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
