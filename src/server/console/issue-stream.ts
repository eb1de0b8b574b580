import { findDirectTarget, findShortId } from '#search/direct-target.ts'
import { findSearchedStatuses, parseSearch, withoutStatuses } from '#search/parse-search.ts'
import { findSearchKey } from '#search/search-keys.ts'
import type { ParsedSearch, SearchTerm } from '#search/search-term.ts'
import { isAllowed } from '#server/auth/roles.ts'
import { projectsWith, reachableProjects, type Viewer } from '#server/auth/viewer.ts'
import type { Services } from '#server/services.ts'
import type { IssueFilter } from '#server/store/issue-filter.ts'
import type { IssueListView, SearchQuery } from '#server/store/issue-list-views.ts'
import { listIssues } from '#server/store/issue-list.ts'
import { chooseIssueStart, listIssueStarts } from '#server/store/issue-start.ts'
import { countIssueStatuses } from '#server/store/issue-status-counts.ts'
import { issueStatuses } from '#server/store/issue-views.ts'
import type { IssueStatus } from '#server/store/issue-views.ts'
import type { ProjectName } from '#server/store/project-list-views.ts'
import { readStreamFrame, type StreamFrame } from '#server/store/stream-frame.ts'
import { appConfig } from '../../../app.config.ts'
import type { IssueListSearch } from './issues.search.ts'

const dayMs = 86_400_000
const rangeMs = { '24h': dayMs, '7d': 7 * dayMs, '14d': 14 * dayMs, '30d': 30 * dayMs, '90d': 90 * dayMs }

/**
 * The issue stream under the filters of its URL, with what surrounds it. Three statements: what surrounds it and where
 * reading begins, the rows, the numbers on the tabs.
 */
export async function listIssueView(
  services: Pick<Services, 'store' | 'clock'>,
  viewer: Viewer,
  search: IssueListSearch,
): Promise<IssueListView> {
  const { db } = services.store
  const now = services.clock()
  const parsed = parseSearch(search.q ?? '')
  const target = findDirectTarget(search.q ?? '')
  const projectIds = reachableProjects(viewer)
  const since = search.range === undefined ? undefined : now - rangeMs[search.range]
  const sort = search.sort ?? 'last_seen'
  const starts = listIssueStarts({
    terms: parsed.terms,
    projectIds,
    sort,
    userId: viewer.userId,
    now,
    ...(since !== undefined && { since }),
  })
  const frame = await readStreamFrame(db, {
    userId: viewer.userId,
    organizationIds: viewer.memberships.map(({ organizationId }) => organizationId),
    projectIds,
    starts,
    ...(target?.kind === 'shortId' && { shortId: target }),
  })
  const view = emptyView({ now, frame, viewer, search, parsed })
  if (view.hit !== undefined || view.redirectSearch !== undefined) return view
  const start = chooseIssueStart(starts, frame.startCounts)
  const filter: IssueFilter = {
    ...filterOf(search, parsed.terms, frame.projects),
    statuses: view.shownStatuses,
    terms: parsed.terms,
    userId: viewer.userId,
    now,
    ...(since !== undefined && { since }),
    ...(start !== undefined && { start }),
  }
  const page = await listIssues(db, {
    ...filter,
    sort,
    bars: view.bars,
    limit: appConfig.issuePageSize,
    ...(search.cursor !== undefined && { cursor: search.cursor }),
  })
  const projects = new Map(frame.projects.map((each) => [each.id, each]))
  // The same object, which the page's data then holds once.
  for (const issue of page.issues) issue.project = projects.get(issue.project.id) ?? issue.project
  return { ...view, ...page, counts: await countIssueStatuses(db, filter) }
}

interface ViewParts {
  now: number
  frame: StreamFrame
  viewer: Viewer
  search: IssueListSearch
  parsed: ParsedSearch
}

/** Everything but the rows and their number. */
function emptyView({ now, frame, viewer, search, parsed }: ViewParts): IssueListView {
  const { projects, environments, isEmptyInstallation, savedSearches, people, issueId } = frame
  const mayTriage = projectsWith(viewer, 'triage').length > 0
  const isPlain = Object.values(search).every((value) => value === undefined)
  const redirectSearch = isPlain ? savedSearches.find(({ isDefault }) => isDefault)?.search : undefined
  const none = { count: 0, isMore: false }
  const query = queryOf(search, parsed, projects)
  return {
    now,
    issues: [],
    mayTriage,
    people: mayTriage ? people : [],
    mayDelete: projectsWith(viewer, 'configure').length > 0,
    projects,
    environments,
    isEmptyInstallation,
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

/** Why a text that looks like the short id of an issue leads to none. */
function findShortIdHint(text: string, projects: readonly ProjectName[]): string | undefined {
  const called = findShortId(text.trim())
  if (called === undefined) return undefined
  const project = projects.find(({ slug }) => slug === called.slug)
  return project === undefined
    ? `As the short id of an issue it leads nowhere: no project that you reach is called “${called.slug}”.`
    : `${project.name} has no issue ${text.trim().toUpperCase()}. It may have been deleted.`
}

function queryOf(
  search: IssueListSearch,
  { terms, problems }: ParsedSearch,
  projects: readonly ProjectName[],
): SearchQuery {
  const hint = findShortIdHint(search.q ?? '', projects)
  const statuses = findSearchedStatuses(terms)
  const tagKeys = terms.flatMap(({ condition }) =>
    condition.kind === 'tag' && findSearchKey(condition.key) === undefined ? [condition.key] : [],
  )
  return {
    problems,
    withoutStatuses: withoutStatuses(search.q ?? ''),
    tagKeys: [...new Set(tagKeys)],
    ...(statuses !== undefined && { statuses }),
    ...(hint !== undefined && { shortIdHint: hint }),
  }
}

function statusesOf(
  { status = 'unresolved' }: IssueListSearch,
  searched: readonly IssueStatus[] | undefined,
): readonly IssueStatus[] {
  if (searched !== undefined) return searched
  return status === 'all' ? issueStatuses : [status]
}

/** What of the filters decides which projects and environment are read, and since when. */
function filterOf(
  search: IssueListSearch,
  terms: readonly SearchTerm[],
  projects: readonly ProjectName[],
): Pick<IssueFilter, 'projectIds' | 'environment'> {
  const environment = search.environment ?? findOnlyEnvironment(terms)
  // A project that does not exist has no issues; leaving the filter out would show everybody else's.
  const chosen = projects.filter(
    ({ slug }) =>
      (search.project === undefined || slug === search.project) &&
      terms.every(
        ({ condition, isNegated }) =>
          condition.kind !== 'project' || condition.slugs.includes(slug) !== isNegated,
      ),
  )
  return {
    projectIds: chosen.map(({ id }) => id),
    ...(environment !== undefined && { environment }),
  }
}

/** The environment that a search is about, so that the bars count its events only. */
function findOnlyEnvironment(terms: readonly SearchTerm[]): string | undefined {
  for (const { condition, isNegated } of terms) {
    if (isNegated || condition.kind !== 'tag' || condition.key !== 'environment') continue
    const [only, second] = condition.values
    if (only !== undefined && second === undefined && !only.isPrefix) return only.text
  }
  return undefined
}

function sharingOf(viewer: Viewer): IssueListView['sharing'] {
  return viewer.memberships
    .filter(({ role }) => isAllowed(role, 'triage'))
    .map(({ organizationId, organizationName, role }) => ({
      organizationId,
      name: organizationName,
      mayChangeAll: isAllowed(role, 'configure'),
    }))
}
