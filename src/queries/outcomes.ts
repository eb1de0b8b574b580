import { queryOptions } from '@tanstack/react-query'
import { queryTimes } from '#navigation/page-kind.ts'
import { fetchOutcomes } from '#server/console/outcomes/outcomes.functions.ts'
import type { OutcomeSearch } from '#server/console/outcomes/outcomes.search.ts'

/** The outcomes of received items in the given project and period: a live page. */
export function outcomesQuery(search: OutcomeSearch) {
  return queryOptions({
    queryKey: ['outcomes', search],
    queryFn: ({ signal }) => fetchOutcomes({ data: search, signal }),
    ...queryTimes('live'),
  })
}
