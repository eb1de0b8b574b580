import * as v from 'valibot'
import { orAbsent, searchText } from '#server/console/parameters.search.ts'
import { outcomePeriods } from './views.ts'

/** The URL parameters of the outcomes screen. Invalid values are ignored. */
export const outcomeSearch = v.object({
  project: orAbsent(searchText),
  period: orAbsent(v.picklist(outcomePeriods)),
  sample: orAbsent(searchText),
})

export type OutcomeSearch = Partial<v.InferOutput<typeof outcomeSearch>>
