import { notFound, redirect } from '@tanstack/react-router'
import { findShortId } from '#search/direct-target.ts'
import { projectsWith, reachableProjects, type Viewer } from '#server/auth/viewer.ts'
import { readEventParts } from '#server/console/events/events.ts'
import type { Services } from '#server/services.ts'
import { findIssueDetail } from '#server/store/issues/detail.ts'
import { findIssueByShortId } from '#server/store/triage/merged-issue.ts'
import { followMerge, toTriageView } from './triage.ts'
import type { IssueView } from './views.ts'

/**
 * An issue with its latest event and its tags. Three statements; throws the router's not-found where there is
 * none.
 */
export async function getIssueView(services: Services, viewer: Viewer, issueId: string): Promise<IssueView> {
  const now = services.clock()
  const id = parseIssueId(issueId)
  const projectIds = reachableProjects(viewer)
  const found =
    id === undefined ? undefined : await findIssueDetail(services.store.db, { issueId: id, projectIds, now })
  if (found === undefined) {
    if (id !== undefined) await followMerge(services, { issueId: id, projectIds })
    else await followShortId(services, { text: issueId, projectIds })
    throw notFound()
  }
  const { event, triage, ...overview } = found
  const mayTriage = projectsWith(viewer, 'triage').includes(overview.issue.project.id)
  return {
    now,
    ...overview,
    mayTriage,
    triage: toTriageView(triage, viewer, overview.issue.project.id),
    ...(await readEventParts(services, event)),
  }
}

/**
 * The number that an issue's id in an address or a form stands for; undefined for one that no issue can have.
 */
export function parseIssueId(text: string): number | undefined {
  const id = /^[0-9]{1,16}$/.test(text) ? Number(text) : undefined
  return id !== undefined && Number.isSafeInteger(id) ? id : undefined
}

/** Leads from `/issues/WEB-1A` to the issue of that short id, where there is one. */
async function followShortId(
  { store }: Pick<Services, 'store'>,
  { text, projectIds }: { text: string; projectIds: readonly number[] },
): Promise<void> {
  const called = findShortId(text)
  const issueId = called && (await findIssueByShortId(store.db, { projectIds, ...called }))
  if (issueId !== undefined) throw redirect({ href: `/issues/${issueId}`, replace: true })
}
