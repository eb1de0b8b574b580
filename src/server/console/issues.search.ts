import * as v from 'valibot'
import { searchCharacters } from '#search/search-term.ts'
import { barSpans, issueSorts, issueStatuses } from '#server/store/views.ts'
import { orAbsent, searchText } from './parameters.search.ts'

/** How long ago an issue must have happened last. */
export const issueRanges = ['24h', '7d', '14d', '30d', '90d'] as const

/**
 * Filters, order and place of the issue stream as they stand in the URL. A value that makes no sense is as good as
 * none: a link from somewhere else must show a list, not an error.
 */
export const issueListSearch = v.object({
  q: orAbsent(v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(searchCharacters))),
  status: orAbsent(v.picklist([...issueStatuses, 'all'])),
  project: orAbsent(searchText),
  environment: orAbsent(searchText),
  range: orAbsent(v.picklist(issueRanges)),
  bars: orAbsent(v.picklist(barSpans)),
  sort: orAbsent(v.picklist(issueSorts)),
  cursor: orAbsent(searchText),
})

export type IssueListSearch = v.InferOutput<typeof issueListSearch>
