import type { QueryClient } from '@tanstack/react-query'
import type { ChangedData } from '#queries/changes/changed-data.ts'
import type { EventView } from '#server/console/events/views.ts'
import type { IssueListView } from '#server/console/issues/views.ts'
import type { IssueStatus, IssueSummary } from '#server/store/issues/records.ts'
import type { ShownIssueList } from './held-issues.ts'
import { issueQuery } from './list.ts'

/** The page data that shows any of these issues. */
export function issuePages({ issueIds }: { issueIds: readonly string[] }): ChangedData[] {
  return [
    { queryKey: ['issues', 'list'] },
    // Shows how many issues are unresolved.
    { queryKey: ['projects', 'list'] },
    ...issueIds.flatMap((issueId) => [
      { queryKey: ['issues', 'one', issueId] },
      { queryKey: ['events'], issueId },
    ]),
  ]
}

/**
 * Shows issues as they will be, on their own pages, on those of their events and in the lists. One whose new
 * status a list does not show leaves it, so that the next key of whoever works through the list is for the
 * next row.
 */
export function foreseeIssues(
  queryClient: QueryClient,
  { issueIds }: { issueIds: readonly string[] },
  foresee: <Issue extends IssueSummary>(issue: Issue) => Issue,
): void {
  for (const issueId of issueIds) {
    queryClient.setQueryData(
      issueQuery(issueId).queryKey,
      (view) => view && { ...view, issue: foresee(view.issue) },
    )
  }
  queryClient.setQueriesData<EventView>({ queryKey: ['events'] }, (view) =>
    view && issueIds.includes(view.issue.id) ? { ...view, issue: foresee(view.issue) } : view,
  )
  queryClient.setQueriesData<ShownIssueList>(
    { queryKey: ['issues', 'list'] },
    (view) => view && foreseeShown(view, issueIds, foresee),
  )
}

function foreseeShown(
  { held, ...view }: ShownIssueList,
  issueIds: readonly string[],
  foresee: <Issue extends IssueSummary>(issue: Issue) => Issue,
): ShownIssueList {
  return {
    ...foreseeList(view, issueIds, foresee),
    ...(held && { held: { ...held, latest: foreseeList(held.latest, issueIds, foresee) } }),
  }
}

function foreseeList(
  view: IssueListView,
  issueIds: readonly string[],
  foresee: <Issue extends IssueSummary>(issue: Issue) => Issue,
): IssueListView {
  const counts = { ...view.counts }
  const count = (status: IssueStatus, change: number) => {
    counts[status] = { ...counts[status], count: Math.max(0, counts[status].count + change) }
  }
  const issues = view.issues.flatMap((issue) => {
    if (!issueIds.includes(issue.id)) return issue
    const foreseen = foresee(issue)
    if (foreseen.status !== issue.status) {
      count(issue.status, -1)
      count(foreseen.status, 1)
    }
    return view.shownStatuses.includes(foreseen.status) ? foreseen : []
  })
  return { ...view, issues, counts }
}

/** `Resolved.` of one issue, `Resolved 3 issues.` of several, with what became of those that are gone. */
export function describeDone(
  verb: string,
  { issueIds, missingCount }: { issueIds: readonly string[]; missingCount: number },
): string {
  const done = issueIds.length === 1 ? `${verb}.` : `${verb}: ${issueIds.length} issues.`
  return missingCount === 0
    ? done
    : `${done} ${missingCount} more ${missingCount === 1 ? 'is' : 'are'} not there any more.`
}
