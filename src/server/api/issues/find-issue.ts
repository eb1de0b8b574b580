import { findShortId } from '#search/direct-target.ts'
import { findMembership, type ApiCall } from '#server/api/api-route.ts'
import { reachableProjects } from '#server/auth/viewer.ts'
import { parseIssueId } from '#server/store/issues/id.ts'
import { findIssueWithHours, type IssueWithHours } from '#server/store/issues/issues.ts'
import { findIssueByShortId, findMergedInto } from '#server/store/triage/merged-issue.ts'

/**
 * The issue in the path, by id or short id; a merged issue resolves to its target. Undefined if the viewer
 * has no access or the organization differs.
 */
export async function findRequestedIssue(call: ApiCall): Promise<IssueWithHours | undefined> {
  const { params, viewer } = call
  const projectIds =
    params['org'] === undefined ? reachableProjects(viewer) : findMembership(call)?.projectIds
  if (projectIds === undefined) return undefined
  const name = params['issue'] ?? ''
  const issueId = parseIssueId(name)
  if (issueId !== undefined) return findRequestedIssueById(call, { issueId, projectIds })
  const shortId = findShortId(name)
  const { db } = call.services.store
  const found = shortId && (await findIssueByShortId(db, { ...shortId, projectIds }))
  return found === undefined ? undefined : findRequestedIssueById(call, { issueId: found, projectIds })
}

/** The issue with an id in the given projects, or the issue it was merged into. */
export async function findRequestedIssueById(
  { services: { store, clock } }: ApiCall,
  target: { issueId: number; projectIds: readonly number[] },
): Promise<IssueWithHours | undefined> {
  const now = clock()
  const found = await findIssueWithHours(store.db, { ...target, now })
  if (found !== undefined) return found
  const into = await findMergedInto(store.db, target)
  return into === undefined ? undefined : findIssueWithHours(store.db, { ...target, issueId: into, now })
}
