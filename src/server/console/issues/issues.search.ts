import * as v from 'valibot'
import { orAbsent, searchText } from '#server/console/parameters.search.ts'
import { barSpans, issueRanges, issueSorts, issueStatuses } from '#server/store/issues/records.ts'

/**
 * The URL of the issue stream: filters, order and position. The form, the server function and the saved
 * searches derive from it. An absent key means its default: unresolved, every project and environment, last
 * seen. An invalid value is ignored, so that an external link shows a list and not an error.
 */
export const issueListSearch = v.object({
  /**
   * A search in the language of docs/search.md, of any length: the list marks the part that is too long, and
   * ignores it.
   */
  q: orAbsent(v.pipe(v.string(), v.trim(), v.minLength(1))),
  status: orAbsent(v.picklist([...issueStatuses, 'all'])),
  /** A project's slug. */
  project: orAbsent(searchText),
  environment: orAbsent(searchText),
  range: orAbsent(v.picklist(issueRanges)),
  bars: orAbsent(v.picklist(barSpans)),
  sort: orAbsent(v.picklist(issueSorts)),
  cursor: orAbsent(searchText),
})

/** The part of the URL that a saved search stores. */
export const savedIssueSearch = v.omit(issueListSearch, ['cursor'])
