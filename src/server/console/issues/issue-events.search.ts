import * as v from 'valibot'
import { orAbsent, searchText } from '#server/console/parameters.search.ts'

/**
 * An instant in the format of a date and time field, to the minute or the second; with `Z` in UTC, whatever
 * the zone.
 */
const minute = v.pipe(v.string(), v.trim(), v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?Z?$/))

/** The URL parameters of an issue's event list. Invalid values are ignored. */
export const issueEventsSearch = v.object({
  environment: orAbsent(searchText),
  release: orAbsent(searchText),
  /** A tag key, with its value. */
  key: orAbsent(searchText),
  value: orAbsent(searchText),
  since: orAbsent(minute),
  until: orAbsent(minute),
  /** The time zone of `since` and `until`; absent for UTC. */
  zone: orAbsent(searchText),
  cursor: orAbsent(searchText),
})

export type IssueEventsSearch = Partial<v.InferOutput<typeof issueEventsSearch>>

/** The tag of an issue that is shown with all its values. */
export const issueTagsSearch = v.object({ key: orAbsent(searchText) })
