import { decide, listPossibleStatuses } from '#search/expression.ts'
import type { SearchCondition, SearchExpression } from '#search/term.ts'
import type { IssueSort, IssueStatus } from '#server/store/issues/records.ts'
import type { Db } from '#server/store/schema/database.ts'
import { listMatchingProjects, type SearchContext } from './condition.ts'
import { chooseDrivingTerm, countTerms, type CountedTerm } from './driving-term.ts'

/** The filter of a search. */
export interface IssueFilter {
  /** Under load a new tag is found up to a second late. */
  expression: SearchExpression
  /** Projects that the reader has access to. Issues of other projects are not found. */
  projects: readonly { id: number; slug: string }[]
  /** The user who searches, for `assigned:me`. */
  userId: string
  /** Unix milliseconds. */
  now: number
}

/** The plan by which the issues of a filter are read. */
export interface SearchPlan {
  expression: SearchExpression
  /** Its projects are reduced to those that can have matching issues. */
  context: SearchContext
  /** Absent if no index has few issues: the search then scans the index of the order. */
  drivingTerm?: CountedTerm
}

/**
 * Plans a search: which projects can have matching issues, and which term drives it. One statement for each
 * term that has an index.
 */
export async function planSearch(db: Db, filter: IssueFilter): Promise<SearchPlan> {
  const { userId, now } = filter
  const projects = filter.projects.filter((project) =>
    isPossible(filter.expression, (condition) =>
      condition.kind === 'project' ? listMatchingProjects(condition, [project]).length > 0 : undefined,
    ),
  )
  const expression = simplify(filter.expression, (condition) =>
    condition.kind === 'project'
      ? ofAll(listMatchingProjects(condition, projects).length, projects.length)
      : undefined,
  )
  const context = { userId, now, projects, rareWords: new Set<SearchCondition>() }
  if (projects.length === 0) return { expression, context }
  const counted = await countTerms(db, expression, context)
  const rareWords = new Set([...counted.keys()].filter(({ kind }) => kind === 'text'))
  const drivingTerm = chooseDrivingTerm(expression, counted)
  return { expression, context: { ...context, rareWords }, ...(drivingTerm && { drivingTerm }) }
}

function isPossible(
  expression: SearchExpression,
  known: (condition: SearchCondition) => boolean | undefined,
): boolean {
  return decide(expression, known) !== false
}

function simplify(
  expression: SearchExpression,
  known: (condition: SearchCondition) => boolean | undefined,
): SearchExpression {
  const decided = decide(expression, known)
  if (typeof decided !== 'boolean') return decided
  return { kind: decided ? 'all' : 'any', of: [] }
}

/** True if all match, false if none matches, otherwise undefined. */
function ofAll(matching: number, all: number): boolean | undefined {
  if (matching === 0) return false
  return matching === all ? true : undefined
}

/** The plan of an index scan in one order, for some statuses. */
export interface ScanPlan {
  /** The statuses that matching issues can have. */
  statuses: IssueStatus[]
  sort: IssueSort
  /** Range constraints on the sort column: where the scan begins and ends. */
  range: readonly SearchCondition[]
  /** The part that is evaluated issue by issue; absent if there is none. */
  residual?: SearchExpression
}

interface ScanOptions {
  statuses: readonly IssueStatus[]
  sort: IssueSort
  /** A condition that all scanned issues fulfil: that of the driving term. */
  fulfilled?: SearchCondition | undefined
}

/** Splits a search into the constraints of the index and the residual. */
export function planScan(
  { expression }: Pick<SearchPlan, 'expression'>,
  { statuses, sort, fulfilled }: ScanOptions,
): ScanPlan {
  const possible = listPossibleStatuses(expression)
  const listed = statuses.filter((status) => possible.includes(status))
  const ofStatuses = simplify(expression, (condition) => {
    if (condition === fulfilled) return true
    return condition.kind === 'status'
      ? ofAll(listed.filter((status) => condition.statuses.includes(status)).length, listed.length)
      : undefined
  })
  const conjuncts = ofStatuses.kind === 'all' ? ofStatuses.of : [ofStatuses]
  const range = conjuncts.flatMap((each) =>
    each.kind === 'term' && isOfOrder(each.condition, sort) ? [each.condition] : [],
  )
  const others = conjuncts.filter((each) => each.kind !== 'term' || !range.includes(each.condition))
  const residual = { kind: 'all', of: others } as const
  return { statuses: listed, sort, range, ...(others.length > 0 && { residual }) }
}

function isOfOrder(condition: SearchCondition, sort: IssueSort): boolean {
  if (condition.kind === 'count') return condition.of === sort
  return condition.kind === 'seen' && `${condition.which}_seen` === sort
}
