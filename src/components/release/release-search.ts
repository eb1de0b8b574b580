import type { ReleaseListSearch } from '#server/console/releases/releases.search.ts'
import type { ReleaseSort } from '#server/store/releases/records.ts'

/** The order used when the URL names none. */
export const defaultReleaseSort: ReleaseSort = 'date'

/** Every order with its name on the screen. */
export const releaseSortNames: Record<ReleaseSort, string> = { date: 'Newest', version: 'Version' }

/**
 * The search with some of it changed, as short as it can be: defaults and empty values leave the URL, and so
 * does the cursor, which belongs to the list it was made for.
 */
export function changeReleaseSearch(search: ReleaseListSearch, change: ReleaseListSearch): ReleaseListSearch {
  const { project, environment, q, sort } = { ...search, ...change }
  return {
    ...(project !== undefined && project !== '' && { project }),
    ...(environment !== undefined && environment !== '' && { environment }),
    ...(q !== undefined && q !== '' && { q }),
    ...(sort !== undefined && sort !== defaultReleaseSort && { sort }),
    ...(change.cursor !== undefined && { cursor: change.cursor }),
  }
}
