import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { queryTimes } from '#navigation/page-kind.ts'
import { pageQueryFor } from '#queries/page-query.ts'
import { fetchIssue, fetchIssueList } from '#server/console/issues/issues.functions.ts'
import { fetchTagValues } from '#server/console/issues/tag-values.functions.ts'
import type { IssueSearch, IssueView } from '#server/console/issues/views.ts'
import type { ShownIssueList } from './pending-issues.ts'
import { isOwnIssue } from './subjects.ts'

/** Lists whose next result replaces the shown one, by the query's hash. */
const replacedLists = new Set<string>()

/**
 * The stream of issues with the given filters: a live page. A refetch while it is shown withholds new issues.
 */
export function issueListQuery(search: IssueSearch) {
  return queryOptions({
    queryKey: ['issues', 'list', search],
    queryFn: async ({ signal, client, queryKey }): Promise<ShownIssueList> => {
      const fresh = await fetchIssueList({ data: search, signal })
      const query = client.getQueryCache().find<ShownIssueList>({ queryKey, exact: true })
      const shown = query?.isActive() === true ? query.state.data : undefined
      if (query === undefined || shown === undefined || replacedLists.has(query.queryHash)) return fresh
      const { mergeReloadedList } = await import('./pending-issues.ts')
      return mergeReloadedList(shown, fresh, { sort: search.sort ?? 'last_seen', isOwn: isOwnIssue })
    },
    ...queryTimes('live'),
  })
}

/** Reloads the data of the current screen; lists show new issues immediately. */
export async function reloadShown(queryClient: QueryClient): Promise<void> {
  const shown = queryClient.getQueryCache().findAll({ type: 'active' })
  for (const { queryHash } of shown) replacedLists.add(queryHash)
  await queryClient.invalidateQueries({ type: 'active' })
  for (const { queryHash } of shown) replacedLists.delete(queryHash)
}

/** The values of a tag with a prefix, for suggestions. */
export function tagValuesQuery(key: string, begin: string) {
  return { ...pageQueryFor(['tag-values'], fetchTagValues, { key, begin }), ...queryTimes('settled') }
}

/**
 * An issue with its latest event: live, since its counts change. A refetch while it is shown keeps the event,
 * which the reader may be reading. `search` is that of the page, for a redirect.
 */
export function issueQuery(issueId: string, search?: object) {
  return queryOptions({
    queryKey: ['issues', 'one', issueId],
    queryFn: ({ signal, client, queryKey }): Promise<IssueView> => {
      const query = client.getQueryCache().find<IssueView>({ queryKey, exact: true })
      const eventId = query?.isActive() === true ? query.state.data?.event.eventId : undefined
      return fetchIssue({ data: { issueId, eventId, search }, signal })
    },
    ...queryTimes('live'),
  })
}
