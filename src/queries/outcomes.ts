import { fetchOutcomes } from '#server/console/outcomes/outcomes.functions.ts'
import type { OutcomeSearch } from '#server/console/outcomes/outcomes.search.ts'
import { pageQueryFor } from './page-query.ts'

/** The outcomes of received items in the given project and period: a live page. */
export function outcomesQuery(search: OutcomeSearch) {
  return pageQueryFor(['outcomes'], fetchOutcomes, search)
}
