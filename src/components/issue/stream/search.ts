import type { IssueSearch } from '#server/console/issues/views.ts'
import type { IssueRange, IssueSort, IssueStatus } from '#server/store/issues/records.ts'

/** The statuses that the stream can show, or all. */
export type IssueStatusFilter = IssueStatus | 'all'

/** The default status. */
export const defaultIssueStatus: IssueStatusFilter = 'unresolved'

/** The default sort order. */
export const defaultIssueSort: IssueSort = 'last_seen'

/** The labels of the status filters, in order. */
export const issueStatusNames: Record<IssueStatusFilter, string> = {
  unresolved: 'Unresolved',
  resolved: 'Resolved',
  archived: 'Archived',
  all: 'All',
}

/** The labels of the sort orders. */
export const issueSortNames: Record<IssueSort, string> = {
  last_seen: 'Last seen',
  first_seen: 'First seen',
  events: 'Most events',
  users: 'Most users',
  trend: 'Trend',
}

/** The labels of the time ranges. */
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

/** True if the search has a filter. */
export function hasIssueFilter({ q, project, environment, range, status }: IssueSearch): boolean {
  return (
    [q, project, environment, range].some((value) => value !== undefined) ||
    (status !== undefined && status !== defaultIssueStatus)
  )
}
