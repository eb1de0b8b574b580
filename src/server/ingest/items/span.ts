import { isJsonObject, type Json, type JsonObject } from '#protocol/json.ts'
import { parsePayloadJson } from '#protocol/payload-json.ts'
import type { FilterReason } from '#server/filter/filter-reason.ts'
import { findTextAttribute, parseSegment } from '#server/filter/segment-subject.ts'
import { limits } from '#server/limits.ts'
import { boundJsonObject, createSmallBudget } from '#server/normalize/free-form-json.ts'
import type { ReadSpans, SpanContext } from '#server/normalize/spans/read-segment.ts'
import { readSpanItemV1 } from '#server/normalize/spans/span-v1.ts'
import { readSpansV2, SpansReader } from '#server/normalize/spans/span-v2.ts'
import { scrubEvent } from '#server/scrub/scrub-event.ts'
import type { TraceSegment } from '#traces/span.ts'
import { findFilterReason, toTraceSample, type FilteredItem } from './filtered.ts'
import type { Reception } from './reception.ts'
import { toSpanContext, type SentTrace } from './trace-record.ts'

/** A root span that a filter dropped. Its quantity includes its spans in the same item. */
export interface FilteredSegment extends FilteredItem {
  spanId: string
  /** The segment of the root span; absent without ids and times. */
  segment?: TraceSegment | undefined
}

/** The result of an item with spans. */
export interface SpansResult {
  filtered: FilteredSegment[]
  /** Spans whose root spans were dropped in earlier items of the envelope, by reason. */
  filteredLater: ReadonlyMap<FilterReason, number>
  read: ReadSpans
  /** Number of spans in the item, if it could be parsed. */
  spanCount?: number
}

/** The reasons for which root spans of an envelope were dropped, by the ids of their spans. */
export type FilteredSegments = ReadonlyMap<string, FilterReason>

/**
 * Applies the filters to the root spans in a spans item (protocol version 2), and parses the remaining spans.
 * `earlier`: root spans dropped from earlier items. Spans in other envelopes are unknown here
 * (`toFilterMark`). A payload without a list is one span of version 1. Pauses between spans.
 */
export function* toSpansResult(
  payload: Uint8Array,
  { sent, earlier }: { sent: SentTrace; earlier: FilteredSegments },
  reception: Reception,
): Generator<undefined, SpansResult> {
  const json = payload.byteLength > limits.spanItemBytes ? undefined : parsePayloadJson(payload)
  if (json?.ok !== true || !isJsonObject(json.value)) return unreadable
  const spans = json.value['items']
  if (Array.isArray(spans)) return yield* toListResult(spans, { sent, earlier }, reception)
  const { value } = scrubEvent(json.value, reception.rules.scrubPlan)
  const read = readSpanItemV1(value, toSpanContext(sent, reception))
  return { filtered: [], filteredLater: new Map(), read, spanCount: 1 }
}

const unreadable: SpansResult = {
  filtered: [],
  filteredLater: new Map(),
  read: { segments: [], dropped: new Map() },
}

/** The same for spans of version 2. */
function* toListResult(
  spans: Json[],
  { sent, earlier }: { sent: SentTrace; earlier: FilteredSegments },
  reception: Reception,
): Generator<undefined, SpansResult> {
  const context = toSpanContext(sent, reception)
  // A small item can have a million entries.
  const counted = spans.slice(0, limits.spansPerSegment * 2)
  const filtered = new Map<string, FilteredSegment>()
  for (const span of counted) {
    yield undefined
    const dropped = findFilteredSegment(span, { context, reception })
    if (dropped !== undefined) filtered.set(dropped.spanId, dropped)
  }
  const filteredLater = new Map<FilterReason, number>()
  const { scrubPlan } = reception.rules
  const reader = new SpansReader(context)
  for (const span of counted) {
    yield undefined
    const id = isJsonObject(span) && (filtered.size > 0 || earlier.size > 0) ? segmentId(span) : ''
    const own = filtered.get(id)
    const reason = earlier.get(id)
    if (own !== undefined) own.quantity += 1
    else if (reason !== undefined) filteredLater.set(reason, (filteredLater.get(reason) ?? 0) + 1)
    else reader.add(isJsonObject(span) ? scrubEvent(span, scrubPlan).value : span)
  }
  const read = reader.finish()
  return { filtered: [...filtered.values()], filteredLater, read, spanCount: spans.length }
}

function findFilteredSegment(
  span: Json,
  { context, reception }: { context: SpanContext; reception: Reception },
): FilteredSegment | undefined {
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
  const [segment] = readSpansV2([kept], context).segments
  return { spanId, reason, category: 'span', quantity: 0, sample, segment }
}

/** The id of the root span that a span belongs to; a root span belongs to itself. */
function segmentId(span: JsonObject): string {
  const ownId = span['span_id']
  if (span['is_segment'] === true) return typeof ownId === 'string' ? ownId : ''
  return findTextAttribute(span, 'sentry.segment.id') ?? '\0'
}
