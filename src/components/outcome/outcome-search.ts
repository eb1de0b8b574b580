import type { OutcomeSearch } from '#server/console/outcomes/outcomes.search.ts'
import type { OutcomePeriod } from '#server/console/outcomes/views.ts'

/** The default period. */
const defaultPeriod: OutcomePeriod = '24h'

/** The labels of the periods, in order. */
export const outcomePeriodNames: Record<OutcomePeriod, string> = {
  '24h': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
}

/** Applies a change to the search and removes defaults and empty values from the URL. */
export function changeOutcomeSearch(search: OutcomeSearch, change: OutcomeSearch): OutcomeSearch {
  const { project, period } = { ...search, ...change }
  return {
    ...(project !== undefined && project !== '' && { project }),
    ...(period !== undefined && period !== defaultPeriod && { period }),
  }
}
