import * as v from 'valibot'
import { orAbsent, searchText } from '#server/console/parameters.search.ts'
import { devices } from '#traces/web-vitals.ts'
import { performancePeriods, performanceSorts, performanceViews, spanPeriods } from './views.ts'

/** Maximum number of pages: enough for more names than a day can have. */
const figurePages = 100

/** The URL of `/performance`. Invalid values are ignored. */
export const performanceSearch = v.object({
  view: orAbsent(v.picklist(performanceViews)),
  project: orAbsent(searchText),
  environment: orAbsent(searchText),
  period: orAbsent(v.picklist(performancePeriods)),
  device: orAbsent(v.picklist(devices)),
  sort: orAbsent(v.picklist(performanceSorts)),
  q: orAbsent(searchText),
  page: orAbsent(v.pipe(v.number(), v.safeInteger(), v.minValue(2), v.maxValue(figurePages))),
})

export type PerformanceSearch = Partial<v.InferOutput<typeof performanceSearch>>

/** The URL of a transaction's page. */
export const transactionSearch = v.object({
  environment: orAbsent(searchText),
  period: orAbsent(v.picklist(performancePeriods)),
})

/** The URL of the page of a group of spans. */
export const spanGroupSearch = v.object({
  period: orAbsent(v.picklist(spanPeriods)),
})

export type SpanGroupSearch = Partial<v.InferOutput<typeof spanGroupSearch>>

export type TransactionSearch = Partial<v.InferOutput<typeof transactionSearch>>
