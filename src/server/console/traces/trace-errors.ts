import { isJsonObject } from '#protocol/json.ts'
import { parsePayloadJson } from '#protocol/payload-json.ts'
import { listTraceEventsWithPayloads } from '#server/store/events/trace.ts'
import type { Store } from '#server/store/store.ts'
import { listNamedSpans } from './named-spans.ts'
import type { TraceError } from './views.ts'

/**
 * The errors of a trace with their spans, which no column has: at most `limits.traceEventsShown` payloads are
 * read. Two rounds of statements.
 */
export async function listTraceErrors(
  { db }: Pick<Store, 'db'>,
  query: { traceId: string; projectIds: readonly number[] },
): Promise<TraceError[]> {
  const events = await listTraceEventsWithPayloads(db, query)
  return events.map(({ reference, payload }) => Object.assign(reference, { spanId: findSpanId(payload) }))
}

/** The span that the page of the event marks: of a performance problem the first of its spans. */
function findSpanId(payload: Uint8Array): string | undefined {
  const parsed = parsePayloadJson(payload)
  const contexts = parsed.ok && isJsonObject(parsed.value) ? parsed.value['contexts'] : undefined
  return isJsonObject(contexts) ? listNamedSpans(contexts)[0] : undefined
}
