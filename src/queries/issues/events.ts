import { queryOptions } from '@tanstack/react-query'
import type * as v from 'valibot'
import { queryTimes } from '#navigation/page-kind.ts'
import { fetchIssueEvents, fetchIssueTags } from '#server/console/issues/issue-events.functions.ts'
import type { IssueEventsSearch, issueTagsSearch } from '#server/console/issues/issue-events.search.ts'

/** A page of an issue's events: live, since new events arrive. */
export function issueEventsQuery(issueId: string, search: IssueEventsSearch) {
  return queryOptions({
    queryKey: ['issue-events', issueId, search],
    queryFn: ({ signal }) => fetchIssueEvents({ data: { issueId, ...search }, signal }),
    ...queryTimes('live'),
  })
}

/** The tags of an issue: live, since their counts change. */
export function issueTagsQuery(issueId: string, search: v.InferOutput<typeof issueTagsSearch>) {
  return queryOptions({
    queryKey: ['issue-tags', issueId, search],
    queryFn: ({ signal }) => fetchIssueTags({ data: { issueId, ...search }, signal }),
    ...queryTimes('live'),
  })
}
