import { queryOptions } from '@tanstack/react-query'
import { queryTimes } from '#navigation/page-kind.ts'
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

/** The list of the performance page under the given filters: a live page. */
export function performanceQuery(search: PerformanceSearch) {
  return queryOptions({
    queryKey: ['performance', 'list', search],
    queryFn: ({ signal }) => fetchPerformance({ data: search, signal }),
    ...queryTimes('live'),
  })
}

/** One transaction: live, since it runs at any time. */
export function transactionQuery(
  { project, transaction }: { project: string; transaction: string },
  search: TransactionSearch,
) {
  return queryOptions({
    queryKey: ['performance', 'one', project, transaction, search],
    queryFn: ({ signal }) => fetchTransaction({ data: { project, transaction, ...search }, signal }),
    ...queryTimes('live'),
  })
}

/** One group of spans: live, as a transaction. */
export function spanGroupQuery(
  { project, group }: { project: string; group: string },
  search: SpanGroupSearch,
) {
  return queryOptions({
    queryKey: ['performance', 'spans', project, group, search],
    queryFn: ({ signal }) => fetchSpanGroup({ data: { project, group, ...search }, signal }),
    ...queryTimes('live'),
  })
}
