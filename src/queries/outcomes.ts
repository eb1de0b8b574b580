import { fetchOutcomes } from '#server/console/outcomes/outcomes.functions.ts'
import type { OutcomeSearch } from '#server/console/outcomes/outcomes.search.ts'
import { pageQuery } from './page-query.ts'

/** The outcomes of received items in the given project and period: a live page. */
export function outcomesQuery(search: OutcomeSearch) {
  return pageQuery('live', ['outcomes', search], ({ signal }) => fetchOutcomes({ data: search, signal }))
}
