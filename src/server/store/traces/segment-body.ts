import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { limits } from '#server/limits.ts'
import type { Span, SpanAttribute, TraceSegment } from '#traces/span.ts'
import { segmentDictionary } from './segment-dictionary.ts'

/**
 * A span in a body: span id; parent, as its index in the body or as an id; its segment, in the same form; 1
 * for a root span; op; name; description; status text, null for `ok`; start in microseconds after the first
 * one; duration in microseconds; attributes.
 */
type SpanEntry = [
  spanId: string,
  parent: number | string | null,
  segment: number | string | null,
  isSegment: 0 | 1,
  op: string,
  name: string,
  description: string | null,
  statusText: string | null,
  startUs: number,
  durationUs: number,
  attributes: Readonly<Record<string, SpanAttribute>>,
]

/** The data of a body, which complements the columns of its row. */
interface SegmentBody {
  kind: TraceSegment['kind']
  source: TraceSegment['transactionSource']
  platform: string
  rate: number
  startedAt: number
  spans: SpanEntry[]
}

/** The body of a segment as JSON. Its trace, transaction, environment and release are columns. */
export function writeSegmentBody(segment: TraceSegment): Buffer {
  const { kind, transactionSource: source, platform, sampleRate: rate, spans } = segment
  const startedAt = Math.floor(Math.min(...spans.map((span) => span.startedAt)))
  const positions = new Map(spans.map(({ spanId }, position) => [spanId, position]))
  const refer = (id: string | undefined) => (id === undefined ? null : (positions.get(id) ?? id))
  const body: SegmentBody = {
    kind,
    source,
    platform,
    rate,
    startedAt,
    spans: spans.map((span) => [
      span.spanId,
      refer(span.parentSpanId),
      refer(span.segmentId),
      span.isSegment ? 1 : 0,
      span.op,
      span.name,
      span.description === undefined || span.description === span.name ? null : span.description,
      span.status === 'ok' ? null : span.statusText,
      Math.round((span.startedAt - startedAt) * 1000),
      span.durationUs,
      span.attributes,
    ]),
  }
  return Buffer.from(JSON.stringify(body))
}

/**
 * Compresses a body. Segments are compressed separately, so that traces can be deleted one by one; the
 * dictionary contains what segments have in common.
 */
export function compressBody(body: Uint8Array): Buffer {
  return deflateRawSync(body, { level: 5, dictionary: segmentDictionary })
}

/** The columns of a segment that are not in its body. */
export type SegmentColumns = Pick<
  TraceSegment,
  'traceId' | 'eventId' | 'transaction' | 'environment' | 'release'
>

/**
 * Decompresses the output of `compressBody`. Throws if it is damaged, or has more than `maxBytes`: in that
 * case the error's code is `ERR_BUFFER_TOO_LARGE`.
 */
export function inflateBody(data: Uint8Array, maxBytes: number): Buffer {
  const maxOutputLength = Math.min(maxBytes, limits.traceBodyBytes)
  return inflateRawSync(data, { dictionary: segmentDictionary, maxOutputLength })
}

/** True if a body has a span with this id; ids of parents do not count. */
export function hasSpan(body: Buffer, spanId: string): boolean {
  return body.includes(`["${spanId}",`)
}

/** Parses a decompressed body. Throws if it is damaged. */
export function readSegmentBody(raw: Buffer, columns: SegmentColumns): TraceSegment {
  const body: unknown = JSON.parse(raw.toString())
  if (!isSegmentBody(body)) throw new RangeError('a body is not a segment')
  const { kind, source, platform, rate, startedAt, spans } = body
  const idOf = (reference: number | string | null): string | undefined =>
    typeof reference === 'number' ? spans[reference]?.[0] : (reference ?? undefined)
  const read = spans.map(
    ([spanId, parent, segment, isSegment, op, name, description, statusText, startUs, ...rest]): Span => {
      const [durationUs, attributes] = rest
      return {
        traceId: columns.traceId,
        spanId,
        parentSpanId: idOf(parent),
        segmentId: idOf(segment),
        isSegment: isSegment === 1,
        op,
        name,
        description: description ?? undefined,
        status: statusText === null ? 'ok' : 'error',
        statusText: statusText ?? 'ok',
        startedAt: startedAt + startUs / 1000,
        durationUs,
        attributes,
      }
    },
  )
  const [first, ...others] = read
  if (first === undefined) throw new RangeError('a segment has no spans')
  return {
    kind,
    ...columns,
    transactionSource: source,
    platform,
    sampleRate: rate,
    spans: [first, ...others],
  }
}

/** `writeSegmentBody` created it, so only the number of fields per entry is checked. */
function isSegmentBody(value: unknown): value is SegmentBody {
  if (typeof value !== 'object' || value === null || !('spans' in value)) return false
  const { spans } = value
  return Array.isArray(spans) && spans.every((entry: unknown) => Array.isArray(entry) && entry.length === 11)
}
