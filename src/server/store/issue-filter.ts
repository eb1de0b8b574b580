import { sql, type RawBuilder } from 'kysely'
import type { SearchTerm } from '#search/search-term.ts'
import { issueCondition } from './issue-conditions.ts'
import type { ChosenStart } from './issue-start.ts'
import type { IssueSort, IssueStatus } from './issue-views.ts'

/** Which issues a list holds. */
export interface IssueFilter {
  statuses: readonly IssueStatus[]
  /** Of those that the reader reaches: no issue of another project is found. */
  projectIds: readonly number[]
  /** Only issues with an event in it; their bars count that environment's events, their totals all. */
  environment?: string
  /** What else each must fulfil; those about statuses and projects are taken care of above. Under load a new tag can be found a second later. */
  terms?: readonly SearchTerm[]
  /** The few issues that reading begins with, where there are any such. */
  start?: ChosenStart
  /** Only issues that happened since, in Unix milliseconds. */
  since?: number
  /** Who reads: `assigned:me`. */
  userId: string
  /** Unix milliseconds; the last hour is the one it falls into. */
  now: number
}

/**
 * So many rows, and none where nobody has sent from the environment: asked once, before a row is read. No condition with EXISTS,
 * which SQLite would make the outer loop of the walk, and the order would be lost.
 */
export function atMost(rows: number, { environment, projectIds }: IssueFilter): RawBuilder<number> {
  if (environment === undefined) return sql`${rows}`
  return sql`case when (select 1 from issue_environments n where n.environment = ${environment}
    and n.project_id in (${sql.join([...projectIds])}) limit 1) is null then 0 else ${rows} end`
}

/** A filter, and what the index is walked by. */
export type SortedFilter = IssueFilter & { sort: IssueSort }

type StatusFilter = SortedFilter & { status: IssueStatus }

/** What an issue of one status must fulfil. */
export function filterConditions(filter: StatusFilter): RawBuilder<boolean>[] {
  const { start, status } = filter
  if (start !== undefined) return [start.isAmong, sql`+issues.status = ${status}`, ...startConditions(filter)]
  return [...walkedConditions(filter), ...askedConditions(filter)]
}

/**
 * What the index of an order is walked by, and which rows of it are passed over. A plus hides a column from SQLite's planner: reading
 * project by project would lose the order, so would reading by the time in another order, and walking the order would lose the start.
 */
export function walkedConditions(filter: StatusFilter): RawBuilder<boolean>[] {
  const { projectIds, status } = filter
  const [onlyProject] = projectIds
  return [
    projectIds.length === 1 ? sql`issues.project_id = ${onlyProject}` : inProjects(filter),
    sql`issues.status = ${status}`,
    ...rangeConditions(filter),
  ]
}

/** Which part of the order is walked: what is asked about the number or time that it goes by. */
export function rangeConditions(filter: SortedFilter): RawBuilder<boolean>[] {
  const { sort, since } = filter
  const ofTerms = otherTerms(filter).filter((term) => isOfOrder(term, sort))
  return [
    ...(since === undefined || sort !== 'last_seen' ? [] : [sql<boolean>`issues.last_seen_at >= ${since}`]),
    ...ofTerms.map((term) => issueCondition(term, filter)),
  ]
}

function isOfOrder({ condition, isNegated }: SearchTerm, sort: IssueSort): boolean {
  if (isNegated) return false
  if (condition.kind === 'count') return condition.of === sort
  if (condition.kind === 'seen') return `${condition.which}_seen` === sort
  return condition.kind === 'new' && sort === 'first_seen'
}

/** What those that reading begins with must fulfil besides, whatever their status. */
export function startConditions(filter: IssueFilter): RawBuilder<boolean>[] {
  return [inProjects(filter), ...isSince(filter), ...askedOfEach(filter)]
}

function inProjects({ projectIds }: IssueFilter): RawBuilder<boolean> {
  return sql`+issues.project_id in (${sql.join([...projectIds])})`
}

function isSince({ since }: IssueFilter): RawBuilder<boolean>[] {
  return since === undefined ? [] : [sql`+issues.last_seen_at >= ${since}`]
}

/** What is asked on the walk, and what it is ordered by: a subquery copies all the columns it has. */
export const askedColumns = sql.raw(
  'project_id, id, is_regressed, assignee_id, level, event_count, user_count, first_seen_at, last_seen_at, trend, ' +
    'title, subtitle, culprit, message',
)

/** What is asked of one issue after the other on the walk. */
export function askedConditions(filter: SortedFilter): RawBuilder<boolean>[] {
  const terms = filter.terms?.filter((term) => !isOfOrder(term, filter.sort)) ?? []
  return [...(filter.sort === 'last_seen' ? [] : isSince(filter)), ...askedOfEach({ ...filter, terms })]
}

function askedOfEach(filter: IssueFilter): RawBuilder<boolean>[] {
  const rareWords = filter.start?.rareWords ?? []
  const ofTerms = otherTerms(filter).map(
    (term) => rareWords.find((word) => word.term === term)?.isAmong ?? issueCondition(term, filter),
  )
  return filter.environment === undefined ? ofTerms : [...ofTerms, inEnvironment(filter.environment)]
}

/** Terms that neither an index nor the start takes care of. */
function otherTerms({ terms = [], start }: IssueFilter): SearchTerm[] {
  return terms.filter(
    (term) => term !== start?.term && term.condition.kind !== 'status' && term.condition.kind !== 'project',
  )
}

function inEnvironment(environment: string): RawBuilder<boolean> {
  return sql`exists (select 1 from issue_environments v where v.project_id = issues.project_id
    and v.issue_id = issues.id and v.environment = ${environment})`
}

/** True for what fulfils each of them. */
export function allOf(conditions: readonly RawBuilder<unknown>[]): RawBuilder<boolean> {
  return sql`${sql.join(conditions, sql` and `)}`
}
