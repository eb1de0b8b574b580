import * as v from 'valibot'
import { orAbsent, searchText } from '#server/console/parameters.search.ts'
import { performancePeriods, performanceViews } from './views.ts'

/** What `/performance` shows, in the URL. Invalid values are ignored. */
export const performanceSearch = v.object({
  view: orAbsent(v.picklist(performanceViews)),
  project: orAbsent(searchText),
  environment: orAbsent(searchText),
  period: orAbsent(v.picklist(performancePeriods)),
  q: orAbsent(searchText),
})

export type PerformanceSearch = Partial<v.InferOutput<typeof performanceSearch>>

/** What the page of a transaction shows. */
export const transactionSearch = v.object({
  environment: orAbsent(searchText),
  period: orAbsent(v.picklist(performancePeriods)),
})

export type TransactionSearch = Partial<v.InferOutput<typeof transactionSearch>>
