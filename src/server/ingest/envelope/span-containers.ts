import type { EnvelopeItem } from '#protocol/envelope.ts'
import { isJsonObject, type Json } from '#protocol/json.ts'
import { parsePayloadJson } from '#protocol/payload-json.ts'
import { limits } from '#server/limits.ts'

/** Sentry's content type of items with spans of protocol version 2. */
const spansType = 'application/vnd.sentry.items.span.v2+json'

/** An item with spans (protocol version 2), as JSON texts joined by commas. */
export function toSpanItem(spans: string, count: number): EnvelopeItem {
  const header = { type: 'span', item_count: count, content_type: spansType }
  return { type: 'span', header, payload: Buffer.from(`{"version":2,"items":[${spans}]}`) }
}

/** An item with spans of one trace. */
export interface SpanContainer {
  item: EnvelopeItem
  /** Absent if the spans have none, or cannot be read. */
  traceId?: string | undefined
}

/**
 * Splits an item with spans as Sentry accepts them: of one trace, and at most `limits.forwardedSpans`. An
 * item that already fulfils this keeps its bytes.
 */
export function toSpanContainers(item: EnvelopeItem): SpanContainer[] {
  const json = item.payload.byteLength > limits.spanItemBytes ? undefined : parsePayloadJson(item.payload)
  const spans = json?.ok === true && isJsonObject(json.value) ? json.value['items'] : undefined
  if (!Array.isArray(spans)) return [{ item }]
  const traces = [...Map.groupBy(spans, traceIdOf)]
  const [[traceId] = []] = traces
  if (traces.length <= 1 && spans.length <= limits.forwardedSpans) return [{ item, traceId }]
  return traces.flatMap(([id, ofTrace]) =>
    partsOf(ofTrace).map((part) => ({
      item: toSpanItem(part.map((span) => JSON.stringify(span)).join(','), part.length),
      traceId: id,
    })),
  )
}

function traceIdOf(span: Json): string | undefined {
  const id = isJsonObject(span) ? span['trace_id'] : undefined
  return typeof id === 'string' ? id : undefined
}

function partsOf(spans: Json[]): Json[][] {
  const count = Math.ceil(spans.length / limits.forwardedSpans)
  return Array.from({ length: count }, (_, at) =>
    spans.slice(at * limits.forwardedSpans, (at + 1) * limits.forwardedSpans),
  )
}
