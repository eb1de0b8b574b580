import type { Action } from '#queries/changes/action.ts'
import { fieldOf } from '#queries/changes/read-fields.ts'
import { actions } from '#server/console/forms/actions.search.ts'
import type { IssueStatus, IssueSummary } from '#server/store/issues/records.ts'
import { issueUndoAction, onIssues } from './actions.ts'
import { issueIdsOf, updateIssues } from './changes.ts'

/** Resolves, archives or reopens issues. */
export const issueStatusAction: Action = {
  ...actions.issueStatus,
  ...onIssues,
  update: (queryClient, form) =>
    updateIssues(queryClient, issueIdsOf(form), (issue) => withStatus(issue, fieldOf(form, 'status'))),
  undoneBy: ({ before = {} }) => ({
    ...issueUndoAction,
    update: (queryClient, form) =>
      updateIssues(queryClient, issueIdsOf(form), (issue) =>
        withStatus(issue, before[issue.id] ?? issue.status),
      ),
  }),
}

const statuses: readonly IssueStatus[] = ['unresolved', 'resolved', 'archived']

/** `status` can have a condition: `archived:week`. */
function withStatus<Issue extends IssueSummary>(issue: Issue, status: string): Issue {
  const changed = { ...issue, status: statuses.find((each) => status.startsWith(each)) ?? issue.status }
  delete changed.isRegressed
  delete changed.reopenCondition
  return changed
}
