import { queryOptions } from '@tanstack/react-query'
import { queryTimes } from '#navigation/page-kind.ts'
import { fetchSpan, fetchTrace } from '#server/console/traces/traces.functions.ts'

/**
 * A trace with the rows of the first screen: live, since its services send their spans at different times.
 */
export function traceQuery(traceId: string) {
  return queryOptions({
    queryKey: ['traces', traceId],
    queryFn: ({ signal }) => fetchTrace({ data: { traceId }, signal }),
    ...queryTimes('live'),
  })
}

/** A trace with all its rows. */
export function wholeTraceQuery(traceId: string) {
  return queryOptions({
    queryKey: ['traces', traceId, 'whole'],
    queryFn: ({ signal }) => fetchTrace({ data: { traceId, isWhole: true }, signal }),
    ...queryTimes('live'),
  })
}

/** A span of a trace with its attributes: settled, since a span never changes. */
export function spanQuery(traceId: string, spanId: string) {
  return queryOptions({
    queryKey: ['traces', traceId, 'span', spanId],
    queryFn: ({ signal }) => fetchSpan({ data: { traceId, spanId }, signal }),
    ...queryTimes('settled'),
  })
}
