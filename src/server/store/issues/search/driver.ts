import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { SearchCondition, SearchExpression } from '#search/search-term.ts'
import { limits } from '#server/limits.ts'
import { issueStatuses } from '#server/store/issues/records.ts'
import type { Database } from '#server/store/schema/database.ts'
import { conditionSql, projectIdsOf, selectNamedIssues } from './condition.ts'
import type { SearchContext } from './condition.ts'
import { tagGroups } from './tag-groups.ts'
import { isOfWords, selectByWord } from './text-sql.ts'

/**
 * Issues that an index leads to: those of a condition, or more. A search that has few of them reads no
 * others.
 */
export interface Driver {
  /** Selects ids of issues. */
  ids: RawBuilder<unknown>
  /** How many they are few up to. */
  most: number
}

/** A driver, and how many rows it has. */
export interface CountedDriver extends Driver {
  count: number
}

/**
 * The drivers of an expression's conditions that have few issues. One statement for each condition that an
 * index leads to.
 */
export async function countDrivers(
  db: Kysely<Database>,
  expression: SearchExpression,
  context: SearchContext,
): Promise<Map<SearchCondition, CountedDriver>> {
  const counted = await Promise.all(
    listIndexed(expression).map(async (condition) => {
      const driver = findDriver(condition, context)
      return driver && ([condition, { ...driver, count: await countUpTo(db, driver) }] as const)
    }),
  )
  return new Map(counted.flatMap((each) => (each && each[1].count <= each[1].most ? [each] : [])))
}

/** Words are counted wherever they are: how they are looked for depends on it. */
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

async function countUpTo(db: Kysely<Database>, { ids, most }: Driver): Promise<number> {
  const counted = sql<{
    issue_count: number
  }>`select count(*) as issue_count from (${ids} limit ${most + 1}) as found`
  const { rows } = await counted.execute(db)
  return rows[0]?.issue_count ?? 0
}

/**
 * The driver of a whole expression: of "and" the one with the fewest issues, of "or" all of them together.
 */
export function chooseDriver(
  expression: SearchExpression,
  counted: ReadonlyMap<SearchCondition, CountedDriver>,
): CountedDriver | undefined {
  switch (expression.kind) {
    case 'term':
      return counted.get(expression.condition)
    case 'not':
      return undefined
    case 'any': {
      const drivers = expression.of.map((each) => chooseDriver(each, counted))
      const known = drivers.flatMap((driver) => driver ?? [])
      return known.length < drivers.length ? undefined : unite(known)
    }
    case 'all':
      break
  }
  const drivers = expression.of.flatMap((each) => chooseDriver(each, counted) ?? [])
  return drivers.toSorted((one, other) => one.count - other.count)[0]
}

function unite(drivers: readonly CountedDriver[]): CountedDriver | undefined {
  const count = drivers.reduce((sum, each) => sum + each.count, 0)
  const most = Math.max(0, ...drivers.map((each) => each.most))
  const ids = sql.join(
    drivers.map((each) => sql`select * from (${each.ids}) as one`),
    sql` union all `,
  )
  return count > most || drivers.length === 0 ? undefined : { ids, count, most }
}

function findDriver(condition: SearchCondition, context: SearchContext): Driver | undefined {
  switch (condition.kind) {
    case 'text':
      return isOfWords(condition) ? { ids: selectByWord(condition), most: limits.rareTextIssues } : undefined
    case 'tag':
    case 'trait':
      return findTagDriver(condition, context)
    case 'assignee':
      return findAssigneeDriver(condition, context)
    case 'issue':
    case 'event':
      return { ids: selectNamedIssues(condition, context), most: limits.traceEventsSearched }
    case 'count':
    case 'seen':
      return { ids: selectInRange(condition, context), most: limits.rareRangeIssues }
    // No index leads to the others, or nearly every issue has them.
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

function findTagDriver(condition: Condition<'tag' | 'trait'>, context: SearchContext): Driver | undefined {
  const groups = tagGroups(condition)
  if (groups.some(({ by }) => by !== 'range')) return undefined
  const inProjects = sql`t.project_id in (${sql.join(projectIdsOf(context))})`
  const ids = groups.map(
    ({ table, matches }) =>
      sql`select t.issue_id from ${sql.table(table)} t where ${inProjects} and ${matches}`,
  )
  return { ids: sql.join(ids, sql` union all `), most: limits.rareTagIssues }
}

/** By the index of those that are assigned; what is assigned to nobody, or to anybody at all, is not few. */
function findAssigneeDriver(
  { assignees }: Condition<'assignee'>,
  { userId }: SearchContext,
): Driver | undefined {
  const userIds = assignees.flatMap((assignee) => {
    if (assignee.kind === 'me') return [sql`${userId}`]
    return assignee.kind === 'email' ? [sql`(select id from users where email = ${assignee.email})`] : []
  })
  if (userIds.length < assignees.length || userIds.length === 0) return undefined
  const ids = sql`select a.id from issues a where a.assignee_id in (${sql.join(userIds)})`
  return { ids, most: limits.fewAssignedIssues }
}

/** By the index of a number or a time that each project has. */
function selectInRange(condition: Condition<'count' | 'seen'>, context: SearchContext): RawBuilder<unknown> {
  return sql`select issues.id from issues where issues.project_id in (${sql.join(projectIdsOf(context))})
    and issues.status in (${sql.join([...issueStatuses])}) and ${conditionSql(condition, context)}`
}

type Condition<Kind extends SearchCondition['kind']> = Extract<SearchCondition, { kind: Kind }>
