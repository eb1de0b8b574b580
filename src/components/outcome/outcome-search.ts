import type { OutcomeSearch } from '#server/console/outcomes/outcomes.search.ts'
import type { OutcomePeriod } from '#server/console/outcomes/views.ts'

/** The period shown when the URL names none. */
const defaultPeriod: OutcomePeriod = '24h'

/** Every period with its name on the screen, in order. */
export const outcomePeriodNames: Record<OutcomePeriod, string> = {
  '24h': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
}

/** The search with some of it changed, as short as it can be: defaults and empty values leave the URL. */
export function changeOutcomeSearch(search: OutcomeSearch, change: OutcomeSearch): OutcomeSearch {
  const { project, period } = { ...search, ...change }
  return {
    ...(project !== undefined && project !== '' && { project }),
    ...(period !== undefined && period !== defaultPeriod && { period }),
  }
}
