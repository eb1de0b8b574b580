import * as v from 'valibot'
import { orAbsent, searchText } from '#server/console/parameters.search.ts'
import { outcomePeriods } from './views.ts'

/**
 * What the outcomes screen shows, as it stands in the URL. A value that makes no sense is as good as none.
 */
export const outcomeSearch = v.object({
  project: orAbsent(searchText),
  period: orAbsent(v.picklist(outcomePeriods)),
  sample: orAbsent(searchText),
})

export type OutcomeSearch = Partial<v.InferOutput<typeof outcomeSearch>>
