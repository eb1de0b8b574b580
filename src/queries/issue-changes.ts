import type { QueryClient } from '@tanstack/react-query'
import type { IssueListView } from '#server/store/issue-list-views.ts'
import type { IssueSummary } from '#server/store/issue-views.ts'
import type { ChangedData } from './changed-data.ts'
import { issueQuery } from './issues.ts'

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

/** Shows issues as they will be, on their own pages and in the lists. */
export function foreseeIssues(
  queryClient: QueryClient,
  { issueIds }: { issueIds: readonly string[] },
  foresee: (issue: IssueSummary) => IssueSummary,
): void {
  for (const issueId of issueIds) {
    queryClient.setQueryData(
      issueQuery(issueId).queryKey,
      (view) => view && { ...view, issue: foresee(view.issue) },
    )
  }
  queryClient.setQueriesData<IssueListView>(
    { queryKey: ['issues', 'list'] },
    (view) =>
      view && {
        ...view,
        issues: view.issues.map((issue) =>
          issueIds.includes(issue.id) ? { ...issue, ...foresee(issue) } : issue,
        ),
      },
  )
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
