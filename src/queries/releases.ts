import { queryOptions } from '@tanstack/react-query'
import { queryTimes } from '#navigation/page-kind.ts'
import { fetchRelease, fetchReleaseList } from '#server/console/releases/releases.functions.ts'
import type { ReleaseListSearch, ReleaseSearch } from '#server/console/releases/releases.search.ts'

/** The releases under the given filters: a live page. */
export function releaseListQuery(search: ReleaseListSearch) {
  return queryOptions({
    queryKey: ['releases', 'list', search],
    queryFn: ({ signal }) => fetchReleaseList({ data: search, signal }),
    ...queryTimes('live'),
  })
}

/** One release: live, since its issues change at any time. */
export function releaseQuery(version: string, search: ReleaseSearch) {
  return queryOptions({
    queryKey: ['releases', 'one', version, search],
    queryFn: ({ signal }) => fetchRelease({ data: { version, ...search }, signal }),
    ...queryTimes('live'),
  })
}
