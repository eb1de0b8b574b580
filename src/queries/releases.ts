import { fetchRelease, fetchReleaseList } from '#server/console/releases/releases.functions.ts'
import type { ReleaseListSearch, ReleaseSearch } from '#server/console/releases/releases.search.ts'
import { pageQueryFor } from './page-query.ts'

/** The releases under the given filters: a live page. */
export function releaseListQuery(search: ReleaseListSearch) {
  return pageQueryFor(['releases', 'list'], fetchReleaseList, search)
}

/** One release: live, since its issues change at any time. */
export function releaseQuery(version: string, search: ReleaseSearch) {
  return pageQueryFor(['releases', 'one'], fetchRelease, { version, ...search })
}
