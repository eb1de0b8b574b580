import type * as v from 'valibot'
import { pageQueryFor } from '#queries/page-query.ts'
import { fetchIssueEvents, fetchIssueTags } from '#server/console/issues/issue-events.functions.ts'
import type { IssueEventsSearch, issueTagsSearch } from '#server/console/issues/issue-events.search.ts'
import type { ShownIssueEvents } from './new-events.ts'

/** A page of an issue's events: live, since new events arrive. */
export function issueEventsQuery(issueId: string, search: IssueEventsSearch) {
  return pageQueryFor<ShownIssueEvents, { issueId: string } & IssueEventsSearch>(
    ['issue-events', issueId],
    fetchIssueEvents,
    { issueId, ...search },
  )
}

/** The tags of an issue: live, since their counts change. */
export function issueTagsQuery(issueId: string, search: v.InferOutput<typeof issueTagsSearch>) {
  return pageQueryFor(['issue-tags', issueId], fetchIssueTags, { issueId, ...search })
}
