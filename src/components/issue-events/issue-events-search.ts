import type { IssueEventsSearch } from '#server/console/issues/issue-events.search.ts'

/** True if the search has a filter. */
export function hasEventFilter({ cursor: _cursor, zone: _zone, ...filters }: IssueEventsSearch): boolean {
  return Object.values(filters).some((value) => value !== undefined)
}

/** The search for the events with one value of a tag; environment and release have their own parameters. */
export function tagSearch(key: string, value: string): IssueEventsSearch {
  if (key === 'environment') return { environment: value }
  if (key === 'release') return { release: value }
  return { key, value }
}

/** The same filters on another page of the list. */
export function atCursor(search: IssueEventsSearch, cursor: string | undefined): IssueEventsSearch {
  const { cursor: _cursor, ...filters } = search
  return cursor === undefined ? filters : { ...filters, cursor }
}
