import { queryOptions } from '@tanstack/react-query'
import { queryTimes } from '#navigation/page-kind.ts'
import { fetchIssue, fetchIssueList } from '#server/console/issues.functions.ts'
import type { IssueListSearch } from '#server/console/issues.search.ts'
import { fetchTagValues } from '#server/console/saved-searches.functions.ts'

/** The stream of issues under the given filters: a live page. */
export function issueListQuery(search: IssueListSearch) {
  return queryOptions({
    queryKey: ['issues', 'list', search],
    queryFn: ({ signal }) => fetchIssueList({ data: search, signal }),
    ...queryTimes('live'),
  })
}

/** The values of a tag that begin with a text, for suggestions. */
export function tagValuesQuery(key: string, begin: string) {
  return queryOptions({
    queryKey: ['tag-values', key, begin],
    queryFn: ({ signal }) => fetchTagValues({ data: { key, begin }, signal }),
    ...queryTimes('settled'),
  })
}

/** An issue with its latest event: live, since its counts move. */
export function issueQuery(issueId: string) {
  return queryOptions({
    queryKey: ['issues', 'one', issueId],
    queryFn: ({ signal }) => fetchIssue({ data: { issueId }, signal }),
    ...queryTimes('live'),
  })
}
