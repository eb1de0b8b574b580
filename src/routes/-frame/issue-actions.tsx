import type { IssueFormActions } from '#components/issue/detail/actions.tsx'
import { useMutationForm } from '#queries/changes/mutation-form.ts'
import { issueAssigneeMutation } from '#queries/issues/assignee.ts'
import { issueCommentMutation } from '#queries/issues/comment.ts'
import { issueDeleteMutation, issueMergeMutation, issueUnmergeMutation } from '#queries/issues/merge.ts'
import { issueStatusMutation } from '#queries/issues/status.ts'

/** The forms that change the issue of a page. */
export function useIssueActions(): IssueFormActions {
  return {
    status: useMutationForm(issueStatusMutation),
    assignee: useMutationForm(issueAssigneeMutation),
    merge: useMutationForm(issueMergeMutation),
    unmerge: useMutationForm(issueUnmergeMutation),
    delete: useMutationForm(issueDeleteMutation),
    comment: useMutationForm(issueCommentMutation),
  }
}
