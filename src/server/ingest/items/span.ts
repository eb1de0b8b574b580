import { isJsonObject, type Json, type JsonObject } from '#protocol/json.ts'
import { parsePayloadJson } from '#protocol/payload-json.ts'
import { findTextAttribute, parseSegment } from '#server/filter/segment-subject.ts'
import { limits } from '#server/limits.ts'
import { boundJsonObject, createSmallBudget } from '#server/normalize/free-form-json.ts'
import { scrubEvent } from '#server/scrub/scrub-event.ts'
import { findFilterReason, toTraceSample, type FilteredItem } from './filtered.ts'
import type { Reception } from './reception.ts'

/**
 * Applies the filters to the root spans in a spans item (protocol version 2). Returns one entry for each
 * dropped root span; its quantity includes the spans under it in the same item. Spans from another envelope
 * are unknown here and are counted as usual. Empty for an unreadable item.
 */
export function listFilteredSegments(payload: Uint8Array, reception: Reception): FilteredItem[] {
  if (payload.byteLength > limits.eventBytes) return []
  const json = parsePayloadJson(payload)
  const spans = json.ok && isJsonObject(json.value) ? json.value['items'] : undefined
  if (!Array.isArray(spans)) return []
  const filtered = new Map<string, FilteredItem>()
  for (const span of spans) {
    const dropped = findFilteredSegment(span, reception)
    if (dropped !== undefined) filtered.set(dropped.spanId, dropped.item)
  }
  if (filtered.size === 0) return []
  for (const span of spans) countChild(span, filtered)
  return [...filtered.values()]
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
