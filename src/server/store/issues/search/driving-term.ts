import { sql, type RawBuilder } from 'kysely'
import type { SearchCondition, SearchExpression } from '#search/term.ts'
import { limits } from '#server/limits.ts'
import { issueStatuses } from '#server/store/issues/records.ts'
import type { Db } from '#server/store/schema/database.ts'
import { conditionSql, projectIdsOf, selectNamedIssues, type SearchContext } from './condition.ts'
import { isOfWords, selectByWord } from './match-sql.ts'
import { tagGroups } from './tag-groups.ts'

/** The term that drives a search: an index finds the few issues that can match it, all that is read. */
export interface DrivingTerm {
  /** Selects the ids of its issues. */
  ids: RawBuilder<unknown>
  /** The largest number of issues that still counts as few. */
  most: number
}

/** A term with the number of issues in its index. */
export interface CountedTerm extends DrivingTerm {
  count: number
  /** The condition that exactly its issues fulfil; absent for several terms. */
  condition?: SearchCondition
}

/**
 * Counts the issues of the terms that have an index, and returns the terms with few. One statement per term,
 * all sent together.
 */
export async function countTerms(
  db: Db,
  expression: SearchExpression,
  context: SearchContext,
): Promise<Map<SearchCondition, CountedTerm>> {
  const counted = await Promise.all(
    listIndexed(expression).map(async (condition) => {
      const term = findDrivingTerm(condition, context)
      return term && ([condition, { ...term, condition, count: await countUpTo(db, term) }] as const)
    }),
  )
  return new Map(counted.flatMap((each) => (each && each[1].count <= each[1].most ? [each] : [])))
}

/** The conditions to count. Negated words are counted, too: the count decides how they are searched. */
function listIndexed(expression: SearchExpression, isNegated = false): SearchCondition[] {
  switch (expression.kind) {
    case 'term':
      return isNegated && expression.condition.kind !== 'text' ? [] : [expression.condition]
    case 'not':
      return listIndexed(expression.of, true)
    case 'all':
    case 'any':
      break
  }
  return expression.of.flatMap((each) => listIndexed(each, isNegated))
}

async function countUpTo(db: Db, { ids, most }: DrivingTerm): Promise<number> {
  const counted = sql<{
    issue_count: number
  }>`select count(*) as issue_count from (${ids} limit ${most + 1}) as found`
  const { rows } = await counted.execute(db)
  return rows[0]?.issue_count ?? 0
}

/** The driving term of an expression: of "and" that with the fewest issues, of "or" all terms together. */
export function chooseDrivingTerm(
  expression: SearchExpression,
  counted: ReadonlyMap<SearchCondition, CountedTerm>,
): CountedTerm | undefined {
  switch (expression.kind) {
    case 'term':
      return counted.get(expression.condition)
    case 'not':
      return undefined
    case 'any': {
      const terms = expression.of.map((each) => chooseDrivingTerm(each, counted))
      const known = terms.flatMap((drivingTerm) => drivingTerm ?? [])
      return known.length < terms.length ? undefined : unite(known)
    }
    case 'all':
      break
  }
  const terms = expression.of.flatMap((each) => chooseDrivingTerm(each, counted) ?? [])
  return terms.toSorted((one, other) => one.count - other.count)[0]
}

function unite(terms: readonly CountedTerm[]): CountedTerm | undefined {
  const count = terms.reduce((sum, each) => sum + each.count, 0)
  const most = Math.max(0, ...terms.map((each) => each.most))
  const ids = sql.join(
    terms.map((each) => sql`select * from (${each.ids}) as one`),
    sql` union all `,
  )
  return count > most || terms.length === 0 ? undefined : { ids, count, most }
}

function findDrivingTerm(condition: SearchCondition, context: SearchContext): DrivingTerm | undefined {
  switch (condition.kind) {
    case 'text':
      return isOfWords(condition) ? { ids: selectByWord(condition), most: limits.rareTextIssues } : undefined
    case 'tag':
    case 'trait':
      return findTagTerm(condition, context)
    case 'assignee':
      return findAssigneeTerm(condition, context)
    case 'issue':
    case 'event':
      return { ids: selectNamedIssues(condition, context), most: limits.traceEventsSearched }
    case 'count':
    case 'seen':
      return { ids: selectInRange(condition, context), most: limits.rareRangeIssues }
    // Conditions without an index, or that nearly every issue fulfils.
    case 'status':
    case 'state':
    case 'level':
    case 'type':
    case 'field':
    case 'project':
    case 'happened':
    case 'version':
      break
  }
  return undefined
}

function findTagTerm(condition: Condition<'tag' | 'trait'>, context: SearchContext): DrivingTerm | undefined {
  const groups = tagGroups(condition)
  if (groups.some(({ by }) => by !== 'range')) return undefined
  const inProjects = sql`t.project_id in (${sql.join(projectIdsOf(context))})`
  const ids = groups.map(
    ({ table, matches }) =>
      sql`select t.issue_id from ${sql.table(table)} t where ${inProjects} and ${matches}`,
  )
  return { ids: sql.join(ids, sql` union all `), most: limits.rareTagIssues }
}

/** The index of assignees. Unassigned issues, or all assigned ones, are never few. */
function findAssigneeTerm(
  { assignees }: Condition<'assignee'>,
  { userId }: SearchContext,
): DrivingTerm | undefined {
  const userIds = assignees.flatMap((assignee) => {
    if (assignee.kind === 'me') return [sql`${userId}`]
    return assignee.kind === 'email' ? [sql`(select id from users where email = ${assignee.email})`] : []
  })
  if (userIds.length < assignees.length || userIds.length === 0) return undefined
  const ids = sql`select a.id from issues a where a.assignee_id in (${sql.join(userIds)})`
  return { ids, most: limits.fewAssignedIssues }
}

/** The index of a number or a time, which begins with the project. */
function selectInRange(condition: Condition<'count' | 'seen'>, context: SearchContext): RawBuilder<unknown> {
  return sql`select issues.id from issues where issues.project_id in (${sql.join(projectIdsOf(context))})
    and issues.status in (${sql.join([...issueStatuses])}) and ${conditionSql(condition, context)}`
}

type Condition<Kind extends SearchCondition['kind']> = Extract<SearchCondition, { kind: Kind }>
