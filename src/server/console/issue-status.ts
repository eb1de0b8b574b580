import { notFound } from '@tanstack/react-router'
import { projectsWith, type Viewer } from '#server/auth/viewer.ts'
import type { Services } from '#server/services.ts'
import { recordIssueStatus } from '#server/store/issue-status.ts'
import type { IssueStatus } from '#server/store/views.ts'
import { parseIssueId } from './issues.ts'

/** Sets an issue's status and answers with the one it had. Throws the router's not-found where there is no such issue. */
export async function changeIssueStatus(
  { store, clock }: Pick<Services, 'store' | 'clock'>,
  viewer: Viewer,
  { issueId, status }: { issueId: string; status: IssueStatus },
): Promise<{ previousStatus: IssueStatus }> {
  const id = parseIssueId(issueId)
  const previousStatus =
    id === undefined
      ? undefined
      : await recordIssueStatus(store, {
          issueId: id,
          projectIds: projectsWith(viewer, 'triage'),
          status,
          changedAt: clock(),
        })
  if (previousStatus === undefined) throw notFound()
  return { previousStatus }
}
