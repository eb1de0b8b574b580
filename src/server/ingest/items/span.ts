import { isJsonObject, type Json, type JsonObject } from '#protocol/json.ts'
import { parsePayloadJson } from '#protocol/payload-json.ts'
import { findTextAttribute, parseSegment } from '#server/filter/segment-subject.ts'
import { limits } from '#server/limits.ts'
import { boundJsonObject, createSmallBudget } from '#server/normalize/free-form-json.ts'
import type { ReadSpans } from '#server/normalize/spans/read-segment.ts'
import { readSpanItemV1 } from '#server/normalize/spans/span-v1.ts'
import { readSpansV2 } from '#server/normalize/spans/span-v2.ts'
import { scrubEvent } from '#server/scrub/scrub-event.ts'
import { findFilterReason, toTraceSample, type FilteredItem } from './filtered.ts'
import type { Reception } from './reception.ts'
import { toSpanContext, type SentTrace } from './trace-record.ts'

/** What becomes of an item with spans. */
export interface SpansEnd {
  /** One entry for each dropped root span; its quantity includes the spans under it in the same item. */
  filtered: FilteredItem[]
  read: ReadSpans
  /** Spans in the item, if it could be read. */
  spanCount?: number
}

/**
 * Applies the filters to the root spans in a spans item (protocol version 2), and reads the spans that are
 * left. Spans under a dropped root span from another envelope are unknown here. A payload without a list is
 * one span of version 1.
 */
export function toSpansEnd(payload: Uint8Array, sent: SentTrace, reception: Reception): SpansEnd {
  const json = payload.byteLength > limits.spanItemBytes ? undefined : parsePayloadJson(payload)
  if (json?.ok !== true || !isJsonObject(json.value)) return unreadable
  const spans = json.value['items']
  if (Array.isArray(spans)) return toListEnd(spans, { kind: 'spans', sent }, reception)
  const { value } = scrubEvent(json.value, reception.rules.scrubPlan)
  return { filtered: [], read: readSpanItemV1(value, toSpanContext(sent, reception)), spanCount: 1 }
}

const unreadable: SpansEnd = { filtered: [], read: { segments: [], dropped: new Map() } }

/** How spans of version 2 were sent. */
interface SentSpans {
  kind: 'spans' | 'otlp'
  sent: SentTrace
}

/** The same for spans of version 2, whatever they were sent as. */
function toListEnd(spans: Json[], { kind, sent }: SentSpans, reception: Reception): SpansEnd {
  const filtered = new Map<string, FilteredItem>()
  for (const span of spans) {
    const dropped = findFilteredSegment(span, reception)
    if (dropped !== undefined) filtered.set(dropped.spanId, dropped.item)
  }
  if (filtered.size > 0) for (const span of spans) countChild(span, filtered)
  const { scrubPlan } = reception.rules
  const kept = spans
    .slice(0, limits.spansPerSegment * 2)
    .filter((span) => filtered.size === 0 || !isJsonObject(span) || !filtered.has(segmentId(span)))
    .map((span) => (isJsonObject(span) ? scrubEvent(span, scrubPlan).value : span))
  const read = readSpansV2(kept, toSpanContext(sent, reception), kind)
  return { filtered: [...filtered.values()], read, spanCount: spans.length }
}

function findFilteredSegment(
  span: Json,
  reception: Reception,
): { spanId: string; item: FilteredItem } | undefined {
  if (!isJsonObject(span) || span['is_segment'] !== true) return undefined
  const subject = parseSegment(span)
  const reason = findFilterReason({ subject, raw: span }, reception)
  if (reason === undefined) return undefined
  const { value: kept } = scrubEvent(span, reception.rules.scrubPlan)
  const sample = toTraceSample(
    {
      subject: parseSegment(kept),
      category: 'span',
      environment: findTextAttribute(kept, 'sentry.environment'),
      traceId: kept['trace_id'],
      payload: Buffer.from(JSON.stringify(boundJsonObject(kept, createSmallBudget()))),
    },
    reason,
    reception,
  )
  const spanId = typeof span['span_id'] === 'string' ? span['span_id'] : ''
  return { spanId, item: { reason, category: 'span', quantity: 0, sample } }
}

/** Adds a span to the count of the root span it belongs to; a root span is its own. */
function countChild(span: Json, filtered: ReadonlyMap<string, FilteredItem>): void {
  if (!isJsonObject(span)) return
  const item = filtered.get(segmentId(span))
  if (item !== undefined) item.quantity += 1
}

function segmentId(span: JsonObject): string {
  const ownId = span['span_id']
  if (span['is_segment'] === true) return typeof ownId === 'string' ? ownId : ''
  return findTextAttribute(span, 'sentry.segment.id') ?? '\0'
}
