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
import { pageQuery } from './page-query.ts'

/** The list of the performance page under the given filters: a live page. */
export function performanceQuery(search: PerformanceSearch) {
  return pageQuery('live', ['performance', 'list', search], ({ signal }) =>
    fetchPerformance({ data: search, signal }),
  )
}

/** One transaction: live, since it runs at any time. */
export function transactionQuery(
  { project, transaction }: { project: string; transaction: string },
  search: TransactionSearch,
) {
  return pageQuery('live', ['performance', 'one', project, transaction, search], ({ signal }) =>
    fetchTransaction({ data: { project, transaction, ...search }, signal }),
  )
}

/** One group of spans: live, as a transaction. */
export function spanGroupQuery(
  { project, group }: { project: string; group: string },
  search: SpanGroupSearch,
) {
  return pageQuery('live', ['performance', 'spans', project, group, search], ({ signal }) =>
    fetchSpanGroup({ data: { project, group, ...search }, signal }),
  )
}
