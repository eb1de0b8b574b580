import * as v from 'valibot'
import { formFields } from '#queries/changes/form-fields.ts'
import type { Mutation } from '#queries/changes/mutation.ts'
import { issueStatusForm, setIssueStatus } from '#server/console/issues/actions.functions.ts'
import type { IssueStatus, IssueSummary } from '#server/store/issues/records.ts'
import { describeDone, foreseeIssues, issuePages } from './changes.ts'
import { issueSubjects } from './subjects.ts'
import { undoOf } from './undo.ts'

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
