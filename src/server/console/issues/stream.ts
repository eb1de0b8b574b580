import * as v from 'valibot'
import { findDirectTarget, findShortId } from '#search/direct-target.ts'
import { allOf, findSearchedStatuses, toExpression, withoutStatuses } from '#search/expression.ts'
import { findSearchHints } from '#search/hints.ts'
import { parseSearch } from '#search/parse-search.ts'
import type { ParsedSearch, SearchCondition, SearchExpression } from '#search/term.ts'
import { exactly, formOf } from '#search/value-pattern.ts'
import { isAllowed } from '#server/auth/roles.ts'
import { projectsWith, reachableProjects, type Viewer } from '#server/auth/viewer.ts'
import {
  chooseProjects,
  findOwnIssues,
  marksOf,
  type ShownProjects,
} from '#server/console/projects/shown-projects.ts'
import { findWaiting } from '#server/console/projects/waiting.ts'
import type { Services } from '#server/services.ts'
import { findCountsDelay } from '#server/store/issues/counts-delay.ts'
import { issueStatuses, type IssueStatus, type StoredSearch } from '#server/store/issues/records.ts'
import { listIssues } from '#server/store/issues/search/issue-list.ts'
import { readStreamFrame, type StreamFrame } from '#server/store/issues/stream-frame.ts'
import type { ProjectName } from '#server/store/projects/records.ts'
import { dayMs } from '#time/time-steps.ts'
import { appConfig } from '../../../../app.config.ts'
import { savedIssueSearch } from './issues.search.ts'
import type { IssueListView, IssueSearch, SavedSearch, SearchQuery } from './views.ts'

const rangeMs = { '24h': dayMs, '7d': 7 * dayMs, '14d': 14 * dayMs, '30d': 30 * dayMs, '90d': 90 * dayMs }

/** The issue stream under the filters of its URL, with the data around it. */
export async function listIssueView(
  services: Pick<Services, 'store' | 'clock'>,
  viewer: Viewer,
  search: IssueSearch,
): Promise<IssueListView> {
  const { db } = services.store
  const now = services.clock()
  const parsed = parseSearch(search.q ?? '')
  const target = findDirectTarget(search.q ?? '')
  const frame = await readStreamFrame(db, {
    userId: viewer.userId,
    organizationIds: viewer.memberships.map(({ organizationId }) => organizationId),
    projectIds: reachableProjects(viewer),
    ...(target?.kind === 'shortId' && { shortId: target }),
  })
  const expression = allOf([toExpression(parsed), ...filtersOf(search, now)])
  const shown = chooseProjects(frame, expression)
  const view = emptyView({ now, frame, viewer, search, parsed, shown })
  if (view.hit !== undefined || view.redirectSearch !== undefined) return view
  const environment = findOnlyEnvironment(expression)
  const list = listIssues(db, {
    expression,
    projects: shown.projects,
    userId: viewer.userId,
    now,
    statuses: view.shownStatuses,
    sort: search.sort ?? 'last_seen',
    bars: view.bars,
    limit: appConfig.issuePageSize,
    environment,
    cursor: search.cursor,
  })
  const counted = shown.projects.filter(({ slug }) => search.project === undefined || slug === search.project)
  const [page, waiting, countsDelayMs] = await Promise.all([
    list,
    findWaiting(services, { ...view, slug: search.project }),
    findCountsDelay(db, { projectIds: counted.map(({ id }) => id), now }),
  ])
  const projects = new Map(frame.projects.map((each) => [each.id, each]))
  // Shares one object per project, so that the page's data contains it once.
  for (const issue of page.issues) issue.project = projects.get(issue.project.id) ?? issue.project
  const listed = { ...view, ...page, countsDelayMs }
  if (page.issues.length > 0) return listed
  if (waiting !== undefined) return { ...listed, waiting }
  return { ...listed, query: { ...view.query, hints: findSearchHints(search.q ?? '') } }
}

interface ViewParts {
  now: number
  frame: StreamFrame
  viewer: Viewer
  search: IssueSearch
  parsed: ParsedSearch
  shown: ShownProjects
}

/** Everything except the rows and their number. */
function emptyView({ now, frame, viewer, search, parsed, shown }: ViewParts): IssueListView {
  const { projects, environments, people, issueId } = frame
  const savedSearches = frame.savedSearches.map((stored) => toSavedSearch(stored, viewer))
  const canTriage = projectsWith(viewer, 'triage').length > 0
  const isPlain = Object.values(search).every((value) => value === undefined)
  const redirectSearch = isPlain ? savedSearches.find(({ isDefault }) => isDefault)?.search : undefined
  const none = { count: 0, isMore: false }
  const query = queryOf(search, parsed, projects)
  const own = search.project === undefined ? findOwnIssues(viewer, shown) : undefined
  return {
    now,
    viewerId: viewer.userId,
    issues: [],
    canTriage,
    people: canTriage ? people : [],
    canDelete: projectsWith(viewer, 'configure').length > 0,
    projects,
    // Issues outside of the list are not announced.
    marks: marksOf(frame, shown),
    environments,
    isEmptyInstallation: shown.left === undefined ? frame.isEmptyInstallation : frame.isEmptyBesidesOwn,
    ...(own && { own }),
    savedSearches,
    sharing: sharingOf(viewer),
    bars: search.bars ?? (search.range === undefined || search.range === '24h' ? '24h' : '14d'),
    query,
    shownStatuses: statusesOf(search, query.statuses),
    counts: { unresolved: none, resolved: none, archived: none },
    ...(issueId !== undefined && { hit: { issueId } }),
    ...(redirectSearch !== undefined && Object.keys(redirectSearch).length > 0 && { redirectSearch }),
  }
}

const storedSearch = v.pipe(v.string(), v.parseJson(), savedIssueSearch)

function toSavedSearch({ searchJson, isOwn, ...stored }: StoredSearch, viewer: Viewer): SavedSearch {
  const { organizationId } = stored
  const canChangeAll = viewer.memberships.some(
    (each) => each.organizationId === organizationId && isAllowed(each.role, 'configure'),
  )
  return { ...stored, canChange: isOwn || canChangeAll, search: v.parse(storedSearch, searchJson) }
}

/** The reason why a text in the form of a short id matches no issue. */
function findShortIdHint(text: string, projects: readonly ProjectName[]): string | undefined {
  const shortId = findShortId(text.trim())
  if (shortId === undefined) return undefined
  const project = projects.find(({ slug }) => slug === shortId.slug)
  if (project !== undefined)
    return `${project.name} has no issue ${text.trim().toUpperCase()}. It may have been deleted.`
  // Words like "sign-in" have the form of a short id, too.
  const isWord = !/[A-Z\d]/.test(text)
  return isWord ? undefined : `No project “${shortId.slug}”, or you don’t have access.`
}

function queryOf(
  search: IssueSearch,
  { parts, problems, tagKeys }: ParsedSearch,
  projects: readonly ProjectName[],
): SearchQuery {
  const hint = findShortIdHint(search.q ?? '', projects)
  const statuses = findSearchedStatuses({ parts })
  return {
    problems,
    withoutStatuses: withoutStatuses(search.q ?? '', { parts }),
    tagKeys,
    statuses,
    shortIdHint: hint,
  }
}

function statusesOf(
  { status = 'unresolved' }: IssueSearch,
  searched: readonly IssueStatus[] | undefined,
): readonly IssueStatus[] {
  if (searched !== undefined) return searched
  return status === 'all' ? issueStatuses : [status]
}

/** The filters next to the search field, as conditions. */
function filtersOf({ project, environment, range }: IssueSearch, now: number): SearchExpression[] {
  const conditions: SearchCondition[] = []
  if (project !== undefined) conditions.push({ kind: 'project', by: 'slug', values: [exactly(project)] })
  if (environment !== undefined)
    conditions.push({ kind: 'tag', key: 'environment', values: [exactly(environment)] })
  if (range !== undefined)
    conditions.push({ kind: 'seen', which: 'last', from: { at: now - rangeMs[range] } })
  return conditions.map((condition) => ({ kind: 'term', condition }))
}

/** The environment that all matching issues have, so that the bars count only its events. */
function findOnlyEnvironment(expression: SearchExpression): string | undefined {
  for (const part of expression.kind === 'all' ? expression.of : [expression]) {
    if (part.kind !== 'term' || part.condition.kind !== 'tag' || part.condition.key !== 'environment')
      continue
    const [only, second] = part.condition.values
    const form = only && formOf(only)
    if (form?.kind === 'exact' && second === undefined) return form.text
  }
  return undefined
}

function sharingOf(viewer: Viewer): IssueListView['sharing'] {
  return viewer.memberships
    .filter(({ role }) => isAllowed(role, 'triage'))
    .map(({ organizationId, organizationName }) => ({ organizationId, name: organizationName }))
}
