import { limits } from '#server/limits.ts'
import { listTraceEventsWithPayloads } from '#server/store/events/trace.ts'
import type { Store } from '#server/store/store.ts'
import { listSpansOfPayload } from '#server/store/traces/named-spans.ts'
import type { TraceView } from './views.ts'

/** The errors of a trace: performance problems are among them. */
export type TraceErrors = Pick<TraceView, 'errors' | 'errorCount' | 'hasMoreErrors'> & {
  /** Performance problems among those counted. */
  problemCount: number
}

/**
 * The errors of a trace with their spans, which no column has: at most `limits.traceEventsShown` payloads are
 * read. Of a performance problem it is the first of its spans, which the page of its event marks, too. Two
 * rounds of statements.
 */
export async function listTraceErrors(
  { db }: Pick<Store, 'db'>,
  query: { traceId: string; projectIds: readonly number[] },
): Promise<TraceErrors> {
  const { listed, count, problemCount } = await listTraceEventsWithPayloads(db, query)
  const errors = listed.map(({ reference, payload }) =>
    Object.assign(reference, { spanId: listSpansOfPayload(payload)[0] }),
  )
  return { errors, errorCount: count, hasMoreErrors: count >= limits.traceEventsRead, problemCount }
}
