import { errorAnswer, notFoundAnswer, type ApiAnswer } from '#server/api/api-answer.ts'
import type { ApiCall, ApiRoute } from '#server/api/api-route.ts'
import { findProjectScope } from '#server/api/project-scope.ts'
import { projectsWith } from '#server/auth/viewer.ts'
import { limits } from '#server/limits.ts'
import { parseIssueId } from '#server/store/issues/id.ts'
import type { IssueSelection } from '#server/store/triage/changed-issues.ts'
import { recordDeletion } from '#server/store/triage/deletion.ts'
import { findRequestedIssue } from './find-issue.ts'

/** Deletes issues. Needs more than the scope of other changes, because it cannot be undone. */
export const deletionRoutes: readonly ApiRoute[] = [
  ...['/organizations/{org}/issues/', '/projects/{org}/{project}/issues/'].map((path): ApiRoute => ({
    method: 'DELETE',
    path,
    scope: 'org:admin',
    summary: 'Deletes the issues given by `id`, with their events. Requires the admin role.',
    query: {
      id: `An issue’s id, repeated, up to ${limits.apiIssuesPerCall}.`,
      project: 'A project’s id or slug, repeated; -1: all.',
    },
    statuses: [204],
    handle: deleteMany,
  })),
  ...['/organizations/{org}/issues/{issue}/', '/issues/{issue}/'].map((path): ApiRoute => ({
    method: 'DELETE',
    path,
    scope: 'org:admin',
    summary: 'Deletes an issue with its events. Requires the admin role.',
    statuses: [202],
    handle: deleteOne,
  })),
]

async function deleteOne(call: ApiCall): Promise<ApiAnswer> {
  const found = await findRequestedIssue(call)
  if (found === undefined) return notFoundAnswer
  const { id, project } = found.issue
  return deleteIssues(call, { issueIds: [Number(id)], projectIds: [project.id] }, 202)
}

async function deleteMany(call: ApiCall): Promise<ApiAnswer> {
  const scope = await findProjectScope(call)
  if (scope === undefined) return notFoundAnswer
  const named = call.url.searchParams.getAll('id')
  const issueIds = [...new Set(named.flatMap((name) => parseIssueId(name) ?? []))]
  if (issueIds.length === 0 || issueIds.length > limits.apiIssuesPerCall)
    return errorAnswer(400, `Name up to ${limits.apiIssuesPerCall} issues, each as id=…`)
  return deleteIssues(call, { issueIds, projectIds: scope.projectIds }, 204)
}

async function deleteIssues(
  { services: { store, clock, log }, viewer }: ApiCall,
  selection: IssueSelection,
  status: number,
): Promise<ApiAnswer> {
  const allowed = projectsWith(viewer, 'configure')
  const projectIds = selection.projectIds.filter((id) => allowed.includes(id))
  if (projectIds.length === 0) return cannotDelete
  const { userId } = viewer
  const actor = { userId, at: clock(), discards: false }
  const { issueIds } = await recordDeletion(store, { ...selection, projectIds }, actor)
  if (issueIds.length === 0) return errorAnswer(404, 'No groups found')
  log.info({ userId, issueIds: issueIds.map(String) }, 'issues were deleted')
  return { status }
}

const cannotDelete = errorAnswer(
  403,
  'You do not have permission to perform this action: only admins and owners can delete issues.',
)
