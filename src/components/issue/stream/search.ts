import type { IssueSearch } from '#server/console/issues/views.ts'
import type { IssueRange, IssueSort, IssueStatus } from '#server/store/issues/records.ts'

/** The statuses that the stream can show, or all. */
export type IssueStatusFilter = IssueStatus | 'all'

/** The status shown when the URL names none. */
export const defaultIssueStatus: IssueStatusFilter = 'unresolved'

/** The order used when the URL names none. */
export const defaultIssueSort: IssueSort = 'last_seen'

/** Every status filter with its name on the screen, in order. */
export const issueStatusNames: Record<IssueStatusFilter, string> = {
  unresolved: 'Unresolved',
  resolved: 'Resolved',
  archived: 'Archived',
  all: 'All',
}

/** Every order with its name on the screen. */
export const issueSortNames: Record<IssueSort, string> = {
  last_seen: 'Last seen',
  first_seen: 'First seen',
  events: 'Most events',
  users: 'Most users',
  trend: 'Trend',
}

/** Every time range with its name on the screen. */
export const issueRangeNames: Record<IssueRange, string> = {
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '14d': 'Last 14 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
}

/**
 * Applies a change to the search and keeps it as short as possible: empty values and defaults are removed
 * from the URL, and so is the cursor, which belongs to the previous list. A status is kept, even the default
 * one: a URL without parameters means the user's default search.
 */
export function changeIssueSearch(search: IssueSearch, change: IssueSearch): IssueSearch {
  const { q, status, project, environment, range, bars, sort } = { ...search, ...change }
  return {
    ...(q !== undefined && q !== '' && { q }),
    ...(status !== undefined && { status }),
    ...(project !== undefined && project !== '' && { project }),
    ...(environment !== undefined && environment !== '' && { environment }),
    ...(range !== undefined && { range }),
    ...(bars !== undefined && { bars }),
    ...(sort !== undefined && sort !== defaultIssueSort && { sort }),
    ...(change.cursor !== undefined && { cursor: change.cursor }),
  }
}

/** True when the search hides issues that another one would show. */
export function hasIssueFilter({ q, project, environment, range, status }: IssueSearch): boolean {
  return (
    [q, project, environment, range].some((value) => value !== undefined) ||
    (status !== undefined && status !== defaultIssueStatus)
  )
}
