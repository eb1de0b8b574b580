/** The URL of the list of an issue's events. An absent key is no filter. */
export interface IssueEventsSearch {
  environment?: string | undefined
  release?: string | undefined
  /** A tag, with its value. */
  key?: string | undefined
  value?: string | undefined
  /** To the minute, in `zone`: `2026-11-21T12:00`. */
  since?: string | undefined
  until?: string | undefined
  /** The time zone of `since` and `until`: UTC unless given, as a form without JavaScript does. */
  zone?: string | undefined
  cursor?: string | undefined
}

/** True when the search hides events that another one would show. */
export function isFiltered({ cursor: _cursor, zone: _zone, ...filters }: IssueEventsSearch): boolean {
  return Object.values(filters).some((value) => value !== undefined)
}

/**
 * The search that shows the events with one value of a tag; environment and release have places of their own.
 */
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
