import { limits } from '#server/limits.ts'
import { listTraceEventsWithPayloads } from '#server/store/events/trace.ts'
import type { Store } from '#server/store/store.ts'
import { listSpansOfPayload } from '#server/store/traces/named-spans.ts'
import type { TraceView } from './views.ts'

/** The errors of a trace, including performance problems. */
export type TraceErrors = Pick<TraceView, 'errors' | 'errorCount' | 'hasMoreErrors'> & {
  /** The number of performance problems among them. */
  problemCount: number
}

/**
 * The errors of a trace with their spans, which are only in payloads: at most `limits.traceEventsShown`
 * payloads are read. For a performance problem it is the first of its spans, which its event's page marks,
 * too. Two rounds of statements.
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
