import { fetchSpan, fetchTrace } from '#server/console/traces/traces.functions.ts'
import { pageQuery } from './page-query.ts'

/** A trace with the rows of the first screen: live, since services send their spans at different times. */
export function traceQuery(traceId: string) {
  return pageQuery('live', ['traces', traceId], ({ signal }) => fetchTrace({ data: { traceId }, signal }))
}

/** A trace with all its rows. */
export function wholeTraceQuery(traceId: string) {
  return pageQuery('live', ['traces', traceId, 'whole'], ({ signal }) =>
    fetchTrace({ data: { traceId, isWhole: true }, signal }),
  )
}

/** A span of a trace with its attributes: settled, since a span never changes. */
export function spanQuery(traceId: string, spanId: string) {
  return pageQuery('settled', ['traces', traceId, 'span', spanId], ({ signal }) =>
    fetchSpan({ data: { traceId, spanId }, signal }),
  )
}
