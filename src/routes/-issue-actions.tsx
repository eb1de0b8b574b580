import type { IssueFormActions } from '#components/issue/issue-actions.tsx'
import { issueAssigneeMutation } from '#queries/issue-assignee.ts'
import { issueCommentMutation } from '#queries/issue-comment.ts'
import { issueDeleteMutation, issueMergeMutation, issueUnmergeMutation } from '#queries/issue-merge.ts'
import { issueStatusMutation } from '#queries/issue-status.ts'
import { useMutationForm } from '#queries/mutation-form.ts'

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
