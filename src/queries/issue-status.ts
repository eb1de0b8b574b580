import * as v from 'valibot'
import { issueStatusForm, setIssueStatus } from '#server/console/issue-actions.functions.ts'
import type { IssueStatus, IssueSummary } from '#server/store/issue-views.ts'
import { formFields } from './form-fields.ts'
import { describeDone, foreseeIssues, issuePages } from './issue-changes.ts'
import { issueSubjects } from './issue-subjects.ts'
import { undoOf } from './issue-undo.ts'
import type { Mutation } from './mutation.ts'

type IssueStatusInput = v.InferOutput<typeof issueStatusForm>
type IssueStatusResult = Awaited<ReturnType<typeof setIssueStatus>>

const doneTexts: Record<IssueStatus, string> = {
  unresolved: 'Reopened',
  resolved: 'Resolved',
  archived: 'Archived',
}

/** Resolves, archives or reopens issues, one or many, whatever they are now. */
export const issueStatusMutation: Mutation<IssueStatusInput, IssueStatusResult> = {
  url: setIssueStatus.url,
  parseForm(form) {
    return v.parse(issueStatusForm, formFields(form, ['issueIds']))
  },
  send: ({ data: { until, count, ...data }, signal }) =>
    setIssueStatus({
      data: {
        ...data,
        ...(until !== undefined && { until: String(until) }),
        ...(count !== undefined && { count: String(count) }),
      },
      signal,
    }),
  subjects: issueSubjects,
  changes: issuePages,
  foresee: (queryClient, input) =>
    foreseeIssues(queryClient, input, (issue) => withStatus(issue, statusOf(input))),
  notDone: 'The status was not changed.',
  conclude: (input, result) => ({
    text: describeDone(doneTexts[statusOf(input)], result),
    undo: undoOf(result, (queryClient) =>
      foreseeIssues(queryClient, result, (issue) =>
        withStatus(issue, result.formerStatuses[issue.id] ?? issue.status),
      ),
    ),
  }),
}

function statusOf({ status }: IssueStatusInput): IssueStatus {
  if (status === 'unresolved') return status
  return status.startsWith('resolved') ? 'resolved' : 'archived'
}

function withStatus<Issue extends IssueSummary>(issue: Issue, status: IssueStatus): Issue {
  const changed = { ...issue, status }
  delete changed.isRegressed
  delete changed.terms
  return changed
}
