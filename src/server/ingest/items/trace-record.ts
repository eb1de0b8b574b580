import type { EnvelopeHeader } from '#protocol/envelope.ts'
import { isJsonObject, type JsonObject } from '#protocol/json.ts'
import type { SpanContext } from '#server/normalize/spans/read-segment.ts'
import type { TraceRecord } from '#server/store/ingest/records.ts'
import { writeSegmentBody } from '#server/store/traces/segment-body.ts'
import { endOf, type TraceSegment } from '#traces/span.ts'
import { nameOfSegment } from '#traces/transaction-name.ts'
import type { Reception } from './reception.ts'

/** The fields of an envelope's header that concern its spans. */
export type SentTrace = Pick<EnvelopeHeader, 'eventId' | 'sentAt' | 'raw'>

/** The context of the spans of an envelope. */
export function toSpanContext({ eventId, sentAt, raw }: SentTrace, { receivedAt }: Reception): SpanContext {
  return { receivedAt, eventId, sentAt, sampleRate: traceHeader(raw)['sample_rate'] }
}

/**
 * True if the sender sampled the trace, by the envelope's trace header (dynamic sampling context); undefined
 * if the SDK does not decide it, for example without a sample rate.
 */
export function isTraceSampled({ raw }: Pick<EnvelopeHeader, 'raw'>): boolean | undefined {
  const { sampled } = traceHeader(raw)
  if (sampled === 'true' || sampled === true) return true
  return sampled === 'false' || sampled === false ? false : undefined
}

function traceHeader(raw: JsonObject): JsonObject {
  return isJsonObject(raw['trace']) ? raw['trace'] : {}
}

/** The row of a segment. */
export function toTraceRecord(
  segment: TraceSegment,
  { projectId, receivedAt }: Pick<Reception, 'projectId' | 'receivedAt'>,
): TraceRecord {
  const { kind, traceId, eventId, spans, environment, release } = segment
  const [root] = spans
  const startedAt = Math.min(...spans.map((span) => span.startedAt))
  const durationUs = root.isSegment
    ? root.durationUs
    : Math.round((Math.max(...spans.map(endOf)) - startedAt) * 1000)
  return {
    projectId,
    category: kind === 'transaction' ? 'transaction' : 'span',
    quantity: kind === 'transaction' ? 1 : spans.length,
    traceId,
    eventId,
    spanId: root.spanId,
    isRoot: root.isSegment,
    startedAt: Math.floor(startedAt),
    durationUs,
    spanCount: spans.length,
    op: root.op,
    // The same name as in figures, which find their samples by it. Ids in names are replaced, so that they do
    // not create new names.
    name: nameOfSegment(segment),
    isError: spans.some(({ isSegment, status }) => isSegment && status === 'error'),
    environment,
    release,
    receivedAt,
    payload: writeSegmentBody(segment),
  }
}

/**
 * The row that marks a root span as filtered, so that its spans in other envelopes, which may have arrived
 * before, are not shown. It is not listed as a root span, and has been counted as filtered.
 */
export function toFilterMark(
  segment: TraceSegment,
  reception: Pick<Reception, 'projectId' | 'receivedAt'>,
): TraceRecord {
  const [root] = segment.spans
  const bare = { ...root, name: '', description: undefined, attributes: {} }
  const mark: TraceSegment = { ...segment, kind: 'filtered', transaction: '', spans: [bare] }
  const record = toTraceRecord(mark, reception)
  return { ...record, quantity: 0, spanCount: 0, isRoot: false, isError: false, op: '', name: '' }
}
