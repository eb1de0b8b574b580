import { notFound } from '@tanstack/react-router'
import { projectsWith, reachableProjects, type Viewer } from '#server/auth/viewer.ts'
import type { Services } from '#server/services.ts'
import { findIssueDetail } from '#server/store/issue-detail.ts'
import { listIssues } from '#server/store/issues.ts'
import { listFilterChoices } from '#server/store/projects.ts'
import type { IssueListView, IssueView } from '#server/store/views.ts'
import { appConfig } from '../../../app.config.ts'
import { toEventParts } from './events.ts'
import type { IssueListSearch } from './issues.search.ts'

/** The issue stream under the filters of its URL, with what the filters can be set to. Three statements. */
export async function listIssueView(
  services: Services,
  viewer: Viewer,
  search: IssueListSearch,
): Promise<IssueListView> {
  const { db } = services.store
  const now = services.clock()
  const projectIds = reachableProjects(viewer)
  const choices = await listFilterChoices(db, projectIds)
  const project = choices.projects.find(({ slug }) => slug === search.project)
  const base = { now, mayTriage: projectsWith(viewer, 'triage').length > 0, ...choices }
  // A project that does not exist has no issues; leaving the filter out would show everybody else's.
  if (search.project !== undefined && project === undefined) return { ...base, issues: [] }
  const page = await listIssues(db, {
    projectIds,
    status: search.status ?? 'unresolved',
    sort: search.sort ?? 'last_seen',
    limit: appConfig.issuePageSize,
    now,
    ...(project !== undefined && { projectId: project.id }),
    ...(search.environment !== undefined && { environment: search.environment }),
    ...(search.cursor !== undefined && { cursor: search.cursor }),
  })
  const projects = new Map(choices.projects.map((each) => [each.id, each]))
  // The same object, which the page's data then holds once.
  for (const issue of page.issues) issue.project = projects.get(issue.project.id) ?? issue.project
  return { ...base, ...page }
}

/** An issue with its latest event and its tags. Three statements; throws the router's not-found where there is none. */
export async function getIssueView(services: Services, viewer: Viewer, issueId: string): Promise<IssueView> {
  const now = services.clock()
  const id = parseIssueId(issueId)
  const projectIds = reachableProjects(viewer)
  const found =
    id === undefined ? undefined : await findIssueDetail(services.store.db, { issueId: id, projectIds, now })
  if (found === undefined) throw notFound()
  const { event, ...overview } = found
  const mayTriage = projectsWith(viewer, 'triage').includes(overview.issue.project.id)
  return { now, ...overview, mayTriage, ...toEventParts(event) }
}

/** The number that an issue's id in an address or a form stands for; undefined for one that no issue can have. */
export function parseIssueId(text: string): number | undefined {
  const id = /^[0-9]{1,16}$/.test(text) ? Number(text) : undefined
  return id !== undefined && Number.isSafeInteger(id) ? id : undefined
}
