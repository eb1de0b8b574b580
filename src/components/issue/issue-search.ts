import type { IssueSort, IssueStatus } from '#server/store/views.ts'

/** What the issue stream can show: a status or every one. */
export type IssueStatusFilter = IssueStatus | 'all'

/** The URL of the issue stream. An absent key means its default: unresolved, every project and environment, last seen. */
export interface IssueSearch {
  status?: IssueStatusFilter | undefined
  /** A project's slug. */
  project?: string | undefined
  environment?: string | undefined
  sort?: IssueSort | undefined
  cursor?: string | undefined
}

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

/**
 * The search with some of it changed, as short as it can be: defaults and empty values leave the URL, and so does the
 * cursor, which belongs to the list it was made for.
 */
export function changeIssueSearch(search: IssueSearch, change: IssueSearch): IssueSearch {
  const { status, project, environment, sort } = { ...search, ...change }
  return {
    ...(status !== undefined && status !== defaultIssueStatus && { status }),
    ...(project !== undefined && project !== '' && { project }),
    ...(environment !== undefined && environment !== '' && { environment }),
    ...(sort !== undefined && sort !== defaultIssueSort && { sort }),
    ...(change.cursor !== undefined && { cursor: change.cursor }),
  }
}

/** True when the search hides issues that another one would show. */
export function isFiltered(search: IssueSearch): boolean {
  return search.project !== undefined || search.environment !== undefined || search.status !== undefined
}
