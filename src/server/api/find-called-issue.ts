import { reachableProjects } from '#server/auth/viewer.ts'
import { parseIssueId } from '#server/console/issues.ts'
import { findIssue, type IssueWithHours } from '#server/store/issues.ts'
import { findMembership, type ApiCall } from './api-route.ts'

/** The issue that a path names by its id; undefined where the viewer does not reach it, or the organization is another one. */
export async function findCalledIssue(call: ApiCall): Promise<IssueWithHours | undefined> {
  const { services, params, viewer } = call
  const projectIds =
    params['org'] === undefined ? reachableProjects(viewer) : findMembership(call)?.projectIds
  const issueId = parseIssueId(params['issue'] ?? '')
  if (projectIds === undefined || issueId === undefined) return undefined
  return findIssue(services.store.db, { issueId, projectIds, now: services.clock() })
}
