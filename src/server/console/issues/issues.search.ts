import * as v from 'valibot'
import { orAbsent, searchText } from '#server/console/parameters.search.ts'
import { barSpans, issueRanges, issueSorts, issueStatuses } from '#server/store/issues/records.ts'

/**
 * Filters, order and place of the issue stream as they stand in the URL. A value that makes no sense is as
 * good as none: a link from somewhere else must show a list, not an error.
 */
export const issueListSearch = v.object({
  // However long: what of a search is too long is marked in it, and the list is shown without.
  q: orAbsent(v.pipe(v.string(), v.trim(), v.minLength(1))),
  status: orAbsent(v.picklist([...issueStatuses, 'all'])),
  project: orAbsent(searchText),
  environment: orAbsent(searchText),
  range: orAbsent(v.picklist(issueRanges)),
  bars: orAbsent(v.picklist(barSpans)),
  sort: orAbsent(v.picklist(issueSorts)),
  cursor: orAbsent(searchText),
})

export type IssueListSearch = v.InferOutput<typeof issueListSearch>
