import {
  fetchPerformance,
  fetchSpanGroup,
  fetchTransaction,
} from '#server/console/performance/performance.functions.ts'
import type {
  PerformanceSearch,
  SpanGroupSearch,
  TransactionSearch,
} from '#server/console/performance/performance.search.ts'
import { pageQueryFor } from './page-query.ts'

/** The list of the performance page under the given filters: a live page. */
export function performanceQuery(search: PerformanceSearch) {
  return pageQueryFor(['performance', 'list'], fetchPerformance, search)
}

/** One transaction: live, since it runs at any time. */
export function transactionQuery(names: { project: string; transaction: string }, search: TransactionSearch) {
  return pageQueryFor(['performance', 'one'], fetchTransaction, { ...names, ...search })
}

/** One group of spans: live, as a transaction. */
export function spanGroupQuery(names: { project: string; group: string }, search: SpanGroupSearch) {
  return pageQueryFor(['performance', 'spans'], fetchSpanGroup, { ...names, ...search })
}
