import { fetchRelease, fetchReleaseList } from '#server/console/releases/releases.functions.ts'
import type { ReleaseListSearch, ReleaseSearch } from '#server/console/releases/releases.search.ts'
import { pageQuery } from './page-query.ts'

/** The releases under the given filters: a live page. */
export function releaseListQuery(search: ReleaseListSearch) {
  return pageQuery('live', ['releases', 'list', search], ({ signal }) =>
    fetchReleaseList({ data: search, signal }),
  )
}

/** One release: live, since its issues change at any time. */
export function releaseQuery(version: string, search: ReleaseSearch) {
  return pageQuery('live', ['releases', 'one', version, search], ({ signal }) =>
    fetchRelease({ data: { version, ...search }, signal }),
  )
}
