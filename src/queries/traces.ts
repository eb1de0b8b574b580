import { queryTimes } from '#navigation/page-kind.ts'
import { fetchSpan, fetchTrace } from '#server/console/traces/traces.functions.ts'
import { pageQueryFor } from './page-query.ts'

/** A trace with the rows of the first screen: live, since services send their spans at different times. */
export function traceQuery(traceId: string) {
  return pageQueryFor(['traces'], fetchTrace, { traceId })
}

/** A trace with all its rows. */
export function wholeTraceQuery(traceId: string) {
  return pageQueryFor(['traces', 'whole'], fetchTrace, { traceId, isWhole: true })
}

/** A span of a trace with its attributes: settled, since a span never changes. */
export function spanQuery(traceId: string, spanId: string) {
  return { ...pageQueryFor(['traces', 'span'], fetchSpan, { traceId, spanId }), ...queryTimes('settled') }
}
