import { parseEventId } from '#protocol/event-id.ts'
import { findShortId } from '#search/direct-target.ts'
import { answer, answerPage, notFoundAnswer, errorAnswer, type ApiAnswer } from '#server/api/api-answer.ts'
import type { ApiCall } from '#server/api/api-route.ts'
import { findProjectScope, readPageSize, type ProjectScope } from '#server/api/project-scope.ts'
import { readCursor, type ReadParameters } from '#server/api/read-cursor.ts'
import { limits } from '#server/limits.ts'
import { findEvent } from '#server/store/events/events.ts'
import type { BarSpan, IssueListRow, IssueSort, IssueStatus } from '#server/store/issues/records.ts'
import { listIssues, type IssueListQuery } from '#server/store/issues/search/issue-list.ts'
import { issueCursors } from '#server/store/issues/search/order.ts'
import type { StatusCounts } from '#server/store/issues/search/status-counts.ts'
import { findIssueByShortId } from '#server/store/triage/merged-issue.ts'
import { readShownExtras } from './extras.ts'
import { findRequestedIssueById } from './find-issue.ts'
import { toIssueJson } from './json.ts'
import { readIssueQuery } from './query.ts'

/** Query parameters that select issues, for the OpenAPI document. */
export const issueQueryParameters = {
  query:
    '`is:unresolved environment:production release:web@1.4 browser.name:Firefox`: the search of the console; default: `is:unresolved`.',
  status: '`unresolved`, `resolved` or `ignored`, instead of the status in `query`.',
  project: 'A project’s id or slug, repeated; -1: all.',
  environment: 'An environment’s name, repeated.',
  start: 'Only issues seen since: ISO 8601, instead of `statsPeriod`.',
  end: 'Only issues first seen until then.',
}

/** Query parameters of issue lists, for the OpenAPI document. */
export const issueListParameters = {
  ...issueQueryParameters,
  sort: '`date` (last seen), `new`, `freq`, `user` or `trends`. `inbox` is `date`, `priority` and `recommended` are `trends`.',
  statsPeriod:
    'Only issues seen in the last `24h`, `14d` … In the list of a project it is the range of `stats` instead: `24h`, `14d`, or empty for none.',
  groupStatsPeriod: 'The range of `stats`: `24h` or `14d`.',
  shortIdLookup: '`1`: a `query` that is a short id returns that issue.',
  cursor: 'From the Link header.',
  limit: 'Up to 1,000, by default 100; `per_page` is the same.',
}

/** Sentry's sort orders. Sentry's own rankings map to the most similar order. */
const sorts = new Map<string, IssueSort>([
  ['date', 'last_seen'],
  ['new', 'first_seen'],
  ['freq', 'events'],
  ['user', 'users'],
  ['trends', 'trend'],
  ['inbox', 'last_seen'],
  ['priority', 'trend'],
  ['recommended', 'trend'],
])

/** Returns a page of the selected issues. */
export async function answerIssueList(call: ApiCall): Promise<ApiAnswer> {
  const projectScope = await findProjectScope(call)
  if (projectScope === undefined) return notFoundAnswer
  const direct = await answerDirectHit(call, projectScope)
  if (direct !== undefined) return direct
  const read = readListQuery(call, projectScope)
  if (!read.ok) return read.error
  const { store, publicOrigin: origin } = call.services
  const { span, ...query } = read.value
  const page = await listIssues(store.db, query)
  const extras = await readShownExtras(store.db, page.issues)
  const toJson = (issue: IssueListRow) =>
    toIssueJson(issue, {
      origin,
      now: query.now,
      extras: extras.get(issue.id),
      ...(span !== 'none' && { stats: { span, counts: issue.bars } }),
    })
  const hits = countHits(page.counts, query.statuses)
  return answerPage(call.url, { ...page, rows: page.issues.map(toJson), hits })
}

/** Returns the number of issues for each `query`, at most `limits.countedIssues` per status. */
export async function answerIssueCounts(call: ApiCall): Promise<ApiAnswer> {
  const projectScope = await findProjectScope(call)
  if (projectScope === undefined) return notFoundAnswer
  const counts: Record<string, number> = {}
  for (const text of new Set(call.url.searchParams.getAll('query'))) {
    const url = new URL(call.url)
    url.searchParams.set('query', text)
    const read = readIssueQuery(
      { ...call, url },
      { query: '', projects: projectScope.projects, hasPeriod: true },
    )
    if (!read.ok) return read.error
    const { filter, statuses } = read.value
    const page = await listIssues(call.services.store.db, {
      ...filter,
      statuses,
      counted: statuses,
      sort: 'last_seen',
      bars: '24h',
      limit: 1,
    })
    counts[text] = countHits(page.counts, statuses)
  }
  return answer(counts)
}

function countHits(counts: StatusCounts, statuses: readonly IssueStatus[]): number {
  return statuses.reduce((sum, status) => sum + counts[status].count, 0)
}

/**
 * Looks up an issue by short id or, as Sentry does, by the id of one of its events. Undefined if the query is
 * not such a lookup, or finds none.
 */
async function answerDirectHit(call: ApiCall, { projectIds }: ProjectScope): Promise<ApiAnswer | undefined> {
  const parameters = call.url.searchParams
  const text = parameters.get('query')?.trim() ?? ''
  const isLookup = ['1', 'true'].includes(parameters.get('shortIdLookup') ?? '')
  const shortId = isLookup ? findShortId(text) : undefined
  const { db } = call.services.store
  const eventId = parseEventId(text)
  const event = eventId === undefined ? undefined : await findEvent(db, { id: eventId, projectIds })
  const issueId =
    event === undefined
      ? shortId && (await findIssueByShortId(db, { ...shortId, projectIds }))
      : Number(event.issue.id)
  const found =
    issueId === undefined ? undefined : await findRequestedIssueById(call, { issueId, projectIds })
  if (found === undefined) return undefined
  const { clock, publicOrigin: origin } = call.services
  const extras = (await readShownExtras(db, [found.issue])).get(found.issue.id)
  const stats = { span: '24h', counts: found.hours24 } as const
  const rows = [toIssueJson(found.issue, { origin, now: clock(), extras, stats })]
  return answerPage(call.url, { rows, hits: 1 })
}

type ListQuery = IssueListQuery & { span: BarSpan | 'none' }

function readListQuery(call: ApiCall, { projects }: ProjectScope): ReadParameters<ListQuery> {
  const { searchParams: parameters } = call.url
  const isOfProject = call.params['project'] !== undefined
  const query = readIssueQuery(call, { query: 'is:unresolved', projects, hasPeriod: !isOfProject })
  if (!query.ok) return query
  const sort = sorts.get(parameters.get('sort') || 'date')
  if (sort === undefined) {
    const names = [...sorts.keys()].join(', ')
    return { ok: false, error: errorAnswer(400, `Unknown order: sort is ${names}.`) }
  }
  const cursor = readCursor(call.url, issueCursors(sort))
  if (!cursor.ok) return cursor
  const limit = readPageSize(call.url, limits.apiPageIssues)
  if (!limit.ok) return limit
  const { filter, statuses, environment } = query.value
  const span = parameters.get(isOfProject ? 'statsPeriod' : 'groupStatsPeriod')
  return {
    ok: true,
    value: {
      ...filter,
      statuses,
      counted: statuses,
      bars: span === '14d' ? '14d' : '24h',
      span: span === '' ? 'none' : span === '14d' ? '14d' : '24h',
      sort,
      limit: limit.value,
      environment,
      ...cursor.value,
    },
  }
}
