import type { QueryClient } from '@tanstack/react-query'
import * as v from 'valibot'
import { formFields } from '#queries/changes/form-fields.ts'
import type { Mutation } from '#queries/changes/mutation.ts'
import { shellQuery } from '#queries/shell.ts'
import { assignForm, setAssignee } from '#server/console/issues/actions.functions.ts'
import type { IssueListView, IssueView } from '#server/console/issues/views.ts'
import type { Person } from '#server/store/issues/records.ts'
import { describeDone, foreseeIssues, issuePages } from './changes.ts'
import { issueSubjects } from './subjects.ts'
import { undoOf } from './undo.ts'

type AssignInput = v.InferOutput<typeof assignForm>
type AssignResult = Awaited<ReturnType<typeof setAssignee>>

/** Gives issues to somebody, to `me` or to `nobody`. */
export const issueAssigneeMutation: Mutation<AssignInput, AssignResult> = {
  url: setAssignee.url,
  parseForm: (form) => v.parse(assignForm, formFields(form, ['issueIds'])),
  send: setAssignee,
  subjects: issueSubjects,
  changes: issuePages,
  foresee,
  notDone: 'Couldn’t assign.',
  conclude: ({ assignee }, result) =>
    'refused' in result
      ? { text: 'Not assigned: that person does not reach the project of every one of these issues.' }
      : {
          text: describeDone(assignee === 'nobody' ? 'Unassigned' : 'Assigned', result),
          undo: undoOf(result, () => undefined),
        },
}

function foresee(queryClient: QueryClient, { assignee, ...issues }: AssignInput): void {
  const person = assignee === 'nobody' ? undefined : findPerson(queryClient, assignee)
  // A name that no page of this tab has comes with the page data.
  if (person === undefined && assignee !== 'nobody') return
  foreseeIssues(queryClient, issues, (issue) => {
    const changed = { ...issue }
    if (person === undefined) delete changed.assignee
    else changed.assignee = person
    return changed
  })
}

/** Somebody whom a page on view or one of before offers. */
function findPerson(queryClient: QueryClient, assignee: string): Person | undefined {
  if (assignee === 'me') {
    const viewer = queryClient.getQueryData(shellQuery().queryKey)?.viewer
    return viewer && { userId: viewer.userId, name: viewer.name }
  }
  const lists = queryClient.getQueriesData<IssueListView>({ queryKey: ['issues', 'list'] })
  const pages = queryClient.getQueriesData<IssueView>({ queryKey: ['issues', 'one'] })
  const people = [
    ...lists.flatMap(([, view]) => view?.people ?? []),
    ...pages.flatMap(([, view]) => view?.triage.people ?? []),
  ]
  return people.find(({ userId }) => userId === assignee)
}
