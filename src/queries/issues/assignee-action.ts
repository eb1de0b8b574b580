import type { QueryClient } from '@tanstack/react-query'
import type { Action } from '#queries/changes/action.ts'
import { fieldOf } from '#queries/changes/read-fields.ts'
import { shellQuery } from '#queries/shell.ts'
import { actions } from '#server/console/forms/actions.search.ts'
import type { IssueListView, IssueView } from '#server/console/issues/views.ts'
import type { Person } from '#server/store/issues/records.ts'
import { issueUndoAction, onIssues } from './actions.ts'
import { issueIdsOf, updateIssues } from './changes.ts'

/** Assigns issues to a user, to `me` or to `nobody`. */
export const issueAssigneeAction: Action = {
  ...actions.issueAssignee,
  ...onIssues,
  update,
  undoneBy: () => issueUndoAction,
}

function update(queryClient: QueryClient, form: FormData): void {
  const assignee = fieldOf(form, 'assignee')
  const person = assignee === 'nobody' ? undefined : findPerson(queryClient, assignee)
  // If the user is not in the page data of this tab, the reloaded data has the name.
  if (person === undefined && assignee !== 'nobody') return
  updateIssues(queryClient, issueIdsOf(form), (issue) => {
    const changed = { ...issue }
    if (person === undefined) delete changed.assignee
    else changed.assignee = person
    return changed
  })
}

/** A user in the cached page data. */
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
