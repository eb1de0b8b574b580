import type { QueryClient } from '@tanstack/react-query'
import type { ChangedData } from '#queries/changes/changed-data.ts'
import { fieldsOf } from '#queries/changes/read-fields.ts'
import type { EventView } from '#server/console/events/views.ts'
import type { IssueListView } from '#server/console/issues/views.ts'
import type { IssueStatus, IssueSummary } from '#server/store/issues/records.ts'
import { issueQuery } from './list.ts'
import type { ShownIssueList } from './pending-issues.ts'

/** The issues of a form. */
export function issueIdsOf(form: FormData): string[] {
  return fieldsOf(form, 'issueIds')
}

/** The page data that shows any of these issues. */
export function issuePages(issueIds: readonly string[]): ChangedData[] {
  return [
    { queryKey: ['issues', 'list'] },
    // It shows the number of unresolved issues.
    { queryKey: ['projects', 'list'] },
    ...issueIds.flatMap((issueId) => [
      { queryKey: ['issues', 'one', issueId] },
      { queryKey: ['events'], issueId },
      { queryKey: ['issue-events', issueId] },
      { queryKey: ['issue-tags', issueId] },
    ]),
  ]
}

/**
 * Updates issues on their own pages, on those of their events and in the lists. An issue whose new status
 * does not match a list is removed from it, so that the next key applies to the next row.
 */
export function updateIssues(
  queryClient: QueryClient,
  issueIds: readonly string[],
  update: <Issue extends IssueSummary>(issue: Issue) => Issue,
): void {
  for (const issueId of issueIds) {
    queryClient.setQueryData(
      issueQuery(issueId).queryKey,
      (view) => view && { ...view, issue: update(view.issue) },
    )
  }
  queryClient.setQueriesData<EventView>({ queryKey: ['events'] }, (view) =>
    view && issueIds.includes(view.issue.id) ? { ...view, issue: update(view.issue) } : view,
  )
  queryClient.setQueriesData<ShownIssueList>(
    { queryKey: ['issues', 'list'] },
    (view) => view && updateShown(view, issueIds, update),
  )
}

function updateShown(
  { pending, ...view }: ShownIssueList,
  issueIds: readonly string[],
  update: <Issue extends IssueSummary>(issue: Issue) => Issue,
): ShownIssueList {
  return {
    ...updateList(view, issueIds, update),
    ...(pending && { pending: { ...pending, latest: updateList(pending.latest, issueIds, update) } }),
  }
}

function updateList(
  view: IssueListView,
  issueIds: readonly string[],
  update: <Issue extends IssueSummary>(issue: Issue) => Issue,
): IssueListView {
  const counts = { ...view.counts }
  const count = (status: IssueStatus, change: number) => {
    counts[status] = { ...counts[status], count: Math.max(0, counts[status].count + change) }
  }
  const issues = view.issues.flatMap((issue) => {
    if (!issueIds.includes(issue.id)) return issue
    const changed = update(issue)
    if (changed.status !== issue.status) {
      count(issue.status, -1)
      count(changed.status, 1)
    }
    return view.shownStatuses.includes(changed.status) ? changed : []
  })
  return { ...view, issues, counts }
}
