import type { ReleaseSort } from '#server/store/releases/records.ts'

/**
 * The URL of the list of releases. An absent key means its default: every project and environment, newest
 * first.
 */
export interface ReleaseSearch {
  /** A project's slug. */
  project?: string | undefined
  environment?: string | undefined
  /** A part of the version. */
  q?: string | undefined
  sort?: ReleaseSort | undefined
  cursor?: string | undefined
}

/** The order used when the URL names none. */
export const defaultReleaseSort: ReleaseSort = 'date'

/** Every order with its name on the screen. */
export const releaseSortNames: Record<ReleaseSort, string> = { date: 'Newest', version: 'Version' }

/**
 * The search with some of it changed, as short as it can be: defaults and empty values leave the URL, and so
 * does the cursor, which belongs to the list it was made for.
 */
export function changeReleaseSearch(search: ReleaseSearch, change: ReleaseSearch): ReleaseSearch {
  const { project, environment, q, sort } = { ...search, ...change }
  return {
    ...(project !== undefined && project !== '' && { project }),
    ...(environment !== undefined && environment !== '' && { environment }),
    ...(q !== undefined && q !== '' && { q }),
    ...(sort !== undefined && sort !== defaultReleaseSort && { sort }),
    ...(change.cursor !== undefined && { cursor: change.cursor }),
  }
}
