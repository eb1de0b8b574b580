import type { IssueFormActions } from '#components/issue/detail/actions.tsx'
import { useAction } from '#queries/changes/use-action.ts'
import {
  issueCommentAction,
  issueDeletionAction,
  issueLinkAction,
  issueMergeAction,
  issueUnmergeAction,
} from '#queries/issues/actions.ts'
import { issueAssigneeAction } from '#queries/issues/assignee-action.ts'
import { issueStatusAction } from '#queries/issues/status-action.ts'

/** The forms that change the issue of a page. */
export function useIssueActions(): IssueFormActions {
  return {
    status: useAction(issueStatusAction),
    assignee: useAction(issueAssigneeAction),
    merge: useAction(issueMergeAction),
    unmerge: useAction(issueUnmergeAction),
    delete: useAction(issueDeletionAction),
    comment: useAction(issueCommentAction),
    link: useAction(issueLinkAction),
  }
}
