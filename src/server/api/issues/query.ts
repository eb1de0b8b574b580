import { allOf, findSearchedStatuses, toExpression } from '#search/expression.ts'
import { parseSearch } from '#search/parse-search.ts'
import type { SearchCondition, SearchExpression } from '#search/term.ts'
import { exactly } from '#search/value-pattern.ts'
import { errorAnswer } from '#server/api/api-answer.ts'
import type { ApiCall } from '#server/api/api-route.ts'
import type { ReadParameters } from '#server/api/read-cursor.ts'
import { readTimeRange, type TimeRange } from '#server/api/time-range.ts'
import { issueStatuses, type IssueStatus } from '#server/store/issues/records.ts'
import type { IssueFilter } from '#server/store/issues/search/plan.ts'
import type { ProjectName } from '#server/store/projects/records.ts'

/** The issues that a request selects. */
export interface ParsedIssueQuery {
  filter: IssueFilter
  statuses: readonly IssueStatus[]
  /** Set if the request names exactly one environment. */
  environment?: string
}

export interface IssueQueryOptions {
  /** Used if the request has no `query`. */
  query: string
  projects: readonly ProjectName[]
  /** True if `statsPeriod` limits the issues. */
  hasPeriod: boolean
}

/** Parses `query`, `status`, `environment` and the time range. Rejects an invalid search. */
export function readIssueQuery(
  { url: { searchParams: parameters }, viewer, services }: ApiCall,
  { query, projects, hasPeriod }: IssueQueryOptions,
): ReadParameters<ParsedIssueQuery> {
  const now = services.clock()
  const parsed = parseSearch(parameters.get('query') ?? query)
  const [problem] = parsed.problems
  if (problem !== undefined) return { ok: false, error: errorAnswer(400, problem.message) }
  const range = readTimeRange(parameters, { now, hasPeriod })
  if (!range.ok) return range
  const status = readStatus(parameters.get('status'))
  if (!status.ok) return status
  const environments = parameters.getAll('environment').filter((name) => name !== '')
  const [environment, another] = environments
  const expression = allOf([toExpression(parsed), ...filtersOf(environments, range.value)])
  return {
    ok: true,
    value: {
      filter: { expression, projects, userId: viewer.userId, now },
      statuses: status.value ?? findSearchedStatuses(parsed) ?? issueStatuses,
      ...(environment !== undefined && another === undefined && { environment }),
    },
  }
}

/** Sentry calls an archived issue ignored, formerly muted. */
const statusNames = new Map<string, IssueStatus>([
  ['unresolved', 'unresolved'],
  ['resolved', 'resolved'],
  ['archived', 'archived'],
  ['ignored', 'archived'],
  ['muted', 'archived'],
])

function readStatus(name: string | null): ReadParameters<readonly IssueStatus[] | undefined> {
  if (!name) return { ok: true, value: undefined }
  const status = statusNames.get(name)
  return status === undefined
    ? { ok: false, error: errorAnswer(400, `status is unresolved, resolved or ignored, not "${name}".`) }
    : { ok: true, value: [status] }
}

/** The parameters as conditions of a search. */
function filtersOf(environments: readonly string[], { start, end }: TimeRange): SearchExpression[] {
  const conditions: SearchCondition[] = []
  if (environments.length > 0)
    conditions.push({ kind: 'tag', key: 'environment', values: environments.map(exactly) })
  if (start !== undefined) conditions.push({ kind: 'seen', which: 'last', from: { at: start } })
  if (end !== undefined) conditions.push({ kind: 'seen', which: 'first', to: { at: end } })
  return conditions.map((condition) => ({ kind: 'term', condition }))
}
