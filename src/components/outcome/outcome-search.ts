import type { OutcomePeriod } from '#server/console/outcomes/views.ts'

/** The URL of the outcomes screen. An absent key means its default: every project, 24 hours. */
export interface OutcomeSearch {
  /** A project's slug. */
  project?: string | undefined
  period?: OutcomePeriod | undefined
  /** A digest, event id or trace id, whose samples are shown first. */
  sample?: string | undefined
}

/** The period shown when the URL names none. */
const defaultPeriod: OutcomePeriod = '24h'

/** Every period with its name on the screen, in order. */
export const periodNames: Record<OutcomePeriod, string> = {
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
