import * as v from 'valibot'
import { issueStatusForm, setIssueStatus } from '#server/console/issues.functions.ts'
import { issueQuery } from './issues.ts'
import type { Mutation } from './mutation.ts'

type IssueStatusInput = v.InferOutput<typeof issueStatusForm>
type IssueStatusResult = Awaited<ReturnType<typeof setIssueStatus>>

const doneTexts: Record<IssueStatusInput['status'], string> = {
  unresolved: 'Reopened.',
  resolved: 'Resolved.',
  archived: 'Archived.',
}

/** Resolves, archives or reopens an issue. */
export const issueStatusMutation: Mutation<IssueStatusInput, IssueStatusResult> = {
  url: setIssueStatus.url,
  parseForm: (form) => v.parse(issueStatusForm, Object.fromEntries(form)),
  send: setIssueStatus,
  changes: ({ issueId }) => [
    { queryKey: ['issues', 'list'] },
    { queryKey: ['issues', 'one', issueId] },
    { queryKey: ['events'], issueId },
    // Shows how many issues are unresolved.
    { queryKey: ['projects', 'list'] },
  ],
  foresee(queryClient, { issueId, status }) {
    queryClient.setQueryData(issueQuery(issueId).queryKey, (view) => {
      if (view === undefined) return undefined
      const { isRegressed: _isRegressed, ...issue } = view.issue
      return { ...view, issue: { ...issue, status } }
    })
  },
  notDone: 'The status was not changed.',
  conclude: ({ issueId, status }, { previousStatus }) => ({
    text: doneTexts[status],
    ...(previousStatus !== status && { undo: { issueId, status: previousStatus } }),
  }),
}
