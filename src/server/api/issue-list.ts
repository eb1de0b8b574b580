import { findShortId } from '#search/direct-target.ts'
import { parseSearch } from '#search/parse-search.ts'
import { allOf, findSearchedStatuses, toExpression } from '#search/search-expression.ts'
import type { SearchCondition, SearchExpression } from '#search/search-term.ts'
import { exactly } from '#search/value-pattern.ts'
import { readIssueExtras } from '#server/store/issue-extras.ts'
import type { IssueListRow } from '#server/store/issue-list-views.ts'
import { parseIssueCursor } from '#server/store/issue-search/cursor.ts'
import { listIssues, type IssueListQuery } from '#server/store/issue-search/issue-list.ts'
import { issueStatuses, type BarSpan, type IssueSort } from '#server/store/issue-views.ts'
import { findIssueByShortId } from '#server/store/merged-issue.ts'
import { answerPage, notFoundAnswer, refusal, type ApiAnswer } from './api-answer.ts'
import type { ApiCall } from './api-route.ts'
import { findCalledIssueById } from './find-called-issue.ts'
import { toIssueJson } from './issue-json.ts'
import { findPlaces, readPageSize, type Places } from './places.ts'
import { readCursor, type ReadParameters } from './read-cursor.ts'
import { readTimeRange, type TimeRange } from './time-range.ts'

/** The parameters of lists of issues, for the OpenAPI document. */
export const issueListParameters = {
  query:
    '`is:unresolved environment:production release:web@1.4 browser.name:Firefox`; left out: `is:unresolved`.',
  sort: '`date` (last seen), `new`, `freq`, `user` or `trends`.',
  project: 'A project’s id or slug, repeated; -1: all.',
  environment: 'An environment’s name, repeated.',
  statsPeriod:
    'Only issues seen in the last `24h`, `14d` … In the list of a project it says instead what `stats` span: `24h`, `14d`, or nothing for none.',
  start: 'Only issues seen since: ISO 8601, in the place of `statsPeriod`.',
  end: 'Only issues that were there by then.',
  groupStatsPeriod: 'What `stats` span: `24h` or `14d`.',
  shortIdLookup: '`1`: a `query` that is a short id finds that issue.',
  cursor: 'From the Link header.',
  limit: 'Up to 100; `per_page` is the same.',
}

/** Sentry’s names of the orders. The console has no other ones of Sentry's: `inbox` and `recommended` are its own ranking. */
const sorts: Record<string, IssueSort> = {
  date: 'last_seen',
  new: 'first_seen',
  freq: 'events',
  user: 'users',
  trends: 'trend',
}

/** Answers a page of the issues that a call asks for. */
export async function answerIssueList(call: ApiCall): Promise<ApiAnswer> {
  const places = await findPlaces(call)
  if (places === undefined) return notFoundAnswer
  const direct = await answerShortId(call, places)
  if (direct !== undefined) return direct
  const read = readListQuery(call, places)
  if (!read.ok) return read.refusal
  const { store, publicOrigin: origin } = call.services
  const { span, ...query } = read.value
  const page = await listIssues(store.db, query)
  const extras = await readIssueExtras(store.db, page.issues)
  const toJson = (issue: IssueListRow) =>
    toIssueJson(issue, {
      origin,
      now: query.now,
      extras: extras.get(issue.id),
      ...(span !== 'none' && { stats: { span, counts: issue.bars } }),
    })
  return answerPage(call.url, { ...page, rows: page.issues.map(toJson) })
}

/** The one issue that is called by its short id; undefined where the call is no such look-up, or finds none. */
async function answerShortId(call: ApiCall, { projectIds }: Places): Promise<ApiAnswer | undefined> {
  const parameters = call.url.searchParams
  const isLookup = ['1', 'true'].includes(parameters.get('shortIdLookup') ?? '')
  const shortId = isLookup ? findShortId(parameters.get('query')?.trim() ?? '') : undefined
  const { db } = call.services.store
  const issueId = shortId && (await findIssueByShortId(db, { ...shortId, projectIds }))
  const found = issueId === undefined ? undefined : await findCalledIssueById(call, { issueId, projectIds })
  if (found === undefined) return undefined
  const { clock, publicOrigin: origin } = call.services
  const extras = (await readIssueExtras(db, [found.issue])).get(found.issue.id)
  const stats = { span: '24h', counts: found.hours24 } as const
  return answerPage(call.url, { rows: [toIssueJson(found.issue, { origin, now: clock(), extras, stats })] })
}

type ListQuery = IssueListQuery & { span: BarSpan | 'none' }

function readListQuery(call: ApiCall, { projects }: Places): ReadParameters<ListQuery> {
  const { searchParams: parameters } = call.url
  const now = call.services.clock()
  const parsed = parseSearch(parameters.get('query') ?? 'is:unresolved')
  const [problem] = parsed.problems
  if (problem !== undefined) return { ok: false, refusal: refusal(400, problem.message) }
  const sort = sorts[parameters.get('sort') || 'date']
  if (sort === undefined)
    return {
      ok: false,
      refusal: refusal(400, `There is no such order: sort is ${Object.keys(sorts).join(', ')}.`),
    }
  const isOfProject = call.params['project'] !== undefined
  const range = readTimeRange(parameters, { now, hasPeriod: !isOfProject })
  if (!range.ok) return range
  const cursor = readCursor(call.url, (text) => parseIssueCursor(text, sort) !== undefined)
  if (!cursor.ok) return cursor
  const limit = readPageSize(call.url)
  if (!limit.ok) return limit
  const environments = parameters.getAll('environment').filter((name) => name !== '')
  const [environment, another] = environments
  const span = parameters.get(isOfProject ? 'statsPeriod' : 'groupStatsPeriod')
  return {
    ok: true,
    value: {
      expression: allOf([toExpression(parsed), ...filtersOf(environments, range.value)]),
      projects,
      statuses: findSearchedStatuses(parsed) ?? issueStatuses,
      userId: call.viewer.userId,
      bars: span === '14d' ? '14d' : '24h',
      span: span === '' ? 'none' : span === '14d' ? '14d' : '24h',
      sort,
      limit: limit.value,
      now,
      ...(environment !== undefined && another === undefined && { environment }),
      ...cursor.value,
    },
  }
}

/** The parameters that narrow the list, as conditions. */
function filtersOf(environments: readonly string[], { start, end }: TimeRange): SearchExpression[] {
  const conditions: SearchCondition[] = []
  if (environments.length > 0)
    conditions.push({ kind: 'tag', key: 'environment', values: environments.map(exactly) })
  if (start !== undefined) conditions.push({ kind: 'seen', which: 'last', from: { at: start } })
  if (end !== undefined) conditions.push({ kind: 'seen', which: 'first', to: { at: end } })
  return conditions.map((condition) => ({ kind: 'term', condition }))
}
