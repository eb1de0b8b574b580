import type * as v from 'valibot'
import { pageQuery } from '#queries/page-query.ts'
import { fetchIssueEvents, fetchIssueTags } from '#server/console/issues/issue-events.functions.ts'
import type { IssueEventsSearch, issueTagsSearch } from '#server/console/issues/issue-events.search.ts'
import type { ShownIssueEvents } from './new-events.ts'

/** A page of an issue's events: live, since new events arrive. */
export function issueEventsQuery(issueId: string, search: IssueEventsSearch) {
  return pageQuery<ShownIssueEvents>('live', ['issue-events', issueId, search], ({ signal }) =>
    fetchIssueEvents({ data: { issueId, ...search }, signal }),
  )
}

/** The tags of an issue: live, since their counts change. */
export function issueTagsQuery(issueId: string, search: v.InferOutput<typeof issueTagsSearch>) {
  return pageQuery('live', ['issue-tags', issueId, search], ({ signal }) =>
    fetchIssueTags({ data: { issueId, ...search }, signal }),
  )
}
