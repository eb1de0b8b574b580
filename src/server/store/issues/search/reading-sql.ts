import { sql, type RawBuilder } from 'kysely'
import { limits } from '#server/limits.ts'
import { readsOf } from './condition-reads.ts'
import { conditionSql, expressionSql } from './condition.ts'
import type { SearchContext } from './condition.ts'
import type { Reading } from './plan.ts'

/** True for what fulfils each of the conditions. */
export function allOf(conditions: readonly RawBuilder<unknown>[]): RawBuilder<boolean> {
  return sql.join([...conditions], sql` and `)
}

/** The conditions of a reading that an index of its order has: a time, a number. */
export function rangeSql({ range }: Reading, context: SearchContext): RawBuilder<boolean>[] {
  return range.map((condition) => conditionSql(condition, context))
}

/**
 * The other conditions of a reading. Within a CASE, where SQLite neither makes joins of them, which takes it
 * a second to plan for twenty, nor chooses an index by them, and stops at the first that is false.
 */
export function restSql({ rest }: Reading, context: SearchContext): RawBuilder<boolean>[] {
  return rest === undefined ? [] : [sql`case when ${expressionSql(rest, context)} then 1 else 0 end = 1`]
}

/**
 * In one of the projects. A plus hides the column from SQLite's planner: reading project by project would
 * lose the order, so would reading by the project what few ids lead to.
 */
export function inProjects({ projects }: SearchContext): RawBuilder<boolean> {
  return sql`+issues.project_id in (${sql.join(projects.map(({ id }) => id))})`
}

/** How many issues one statement evaluates, so that it reads `limits.searchSliceReads` rows at most. */
export function sliceSize({ rest }: Reading): number {
  const readsPerIssue = 1 + (rest === undefined ? 0 : readsOf(rest))
  return Math.max(1, Math.floor(limits.searchSliceReads / readsPerIssue))
}
