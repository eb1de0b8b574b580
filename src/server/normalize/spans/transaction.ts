import { parseEventId } from '#protocol/event-id.ts'
import { isJsonObject, type Json, type JsonObject } from '#protocol/json.ts'
import { limits } from '#server/limits.ts'
import { parsePairs, requestPairLimits } from '#server/normalize/name-value-pairs.ts'
import type { Span, TraceSegment } from '#traces/span.ts'
import { correctClock, drop, type ReadSpans, type SpanContext, type SpanProblem } from './read-segment.ts'
import {
  AttributeReader,
  toObject,
  parseEnvironment,
  parseLine,
  parseSampleRate,
  parseSource,
  parseTraceId,
} from './span-fields.ts'
import { addMeasurements, readSpanV1 } from './span-v1.ts'

/** The name of an unnamed transaction, as in Relay. */
const unnamedTransaction = '<unlabeled transaction>'

/**
 * Reads a transaction with its spans (`type: "transaction"`). Lenient: an unreadable span is dropped and
 * counted, and a field of the wrong type is left out. Without a trace id, a span id and times there is no
 * segment. Never throws.
 */
export function readTransaction(raw: JsonObject, context: SpanContext): ReadSpans {
  const dropped = new Map<SpanProblem, number>()
  const root = readRoot(raw)
  if (root === undefined) return { segments: [], dropped: new Map([['invalid_transaction', 1]]) }
  const children = readChildren(raw, root, dropped)
  correctClock([root, ...children], context)
  const segment: TraceSegment = {
    kind: 'transaction',
    traceId: root.traceId,
    eventId: context.eventId ?? parseEventId(raw['event_id']),
    spans: [root, ...children],
    transaction: root.name,
    transactionSource: parseSource(toObject(raw['transaction_info'])['source']),
    environment: parseEnvironment(raw['environment']),
    release: parseLine(raw['release'], limits.releaseCharacters),
    platform: parseLine(raw['platform'], limits.symbolCharacters) ?? 'other',
    sampleRate: parseSampleRate(sentSampleRate(raw) ?? context.sampleRate),
  }
  return { segments: [segment], dropped }
}

function readRoot(raw: JsonObject): Span | undefined {
  const trace = toObject(toObject(raw['contexts'])['trace'])
  const span = readSpanV1(
    { ...trace, start_timestamp: raw['start_timestamp'] ?? null, timestamp: raw['timestamp'] ?? null },
    { traceId: parseTraceId(trace['trace_id']), attributes: readRootAttributes(raw, trace) },
  )
  if (span === undefined) return undefined
  const name = parseLine(raw['transaction'], limits.culpritCharacters) ?? unnamedTransaction
  const { description: _description, ...root } = span
  return { ...root, name, isSegment: true, segmentId: root.spanId }
}

function readChildren(
  { spans: raw, timestamp: end = null }: JsonObject,
  root: Span,
  dropped: Map<SpanProblem, number>,
): Span[] {
  if (!Array.isArray(raw)) return []
  const sent = raw.slice(0, limits.spansPerSegment - 1)
  drop(dropped, 'too_many_spans', raw.length - sent.length)
  const children = new Map<string, Span>()
  for (const entry of sent) {
    const span = readSpanV1(withEnd(entry, end), { traceId: root.traceId })
    if (span === undefined || span.spanId === root.spanId || children.has(span.spanId)) {
      drop(dropped, 'invalid_span')
      continue
    }
    span.traceId = root.traceId
    span.isSegment = false
    span.segmentId = root.spanId
    children.set(span.spanId, span)
  }
  return [...children.values()]
}

/** A span that was still open when its transaction was sent ends with it, as in Relay. */
function withEnd(span: Json, end: Json): Json {
  if (!isJsonObject(span) || (span['timestamp'] ?? null) !== null) return span
  return { ...span, timestamp: end, status: 'deadline_exceeded' }
}

/** The attributes of the root span: the transaction's data, measurements, request, user and tags. */
function readRootAttributes(raw: JsonObject, trace: JsonObject): AttributeReader {
  const attributes = new AttributeReader(limits.segmentAttributes)
  attributes.addAll(toObject(trace['data']))
  addMeasurements(attributes, raw['measurements'])
  const request = toObject(raw['request'])
  attributes.add('url.full', request['url'])
  attributes.add('http.request.method', request['method'])
  const headers = parsePairs(request['headers'], requestPairLimits)
  attributes.add('user_agent.original', headers?.find(([name]) => name.toLowerCase() === 'user-agent')?.[1])
  attributes.add('user.id', toObject(raw['user'])['id'])
  attributes.add('server.address', raw['server_name'])
  const response = toObject(toObject(raw['contexts'])['response'])
  attributes.add('http.response.status_code', response['status_code'])
  const sdk = toObject(raw['sdk'])
  attributes.add('sentry.sdk.name', sdk['name'])
  attributes.add('sentry.sdk.version', sdk['version'])
  for (const [name, value] of parsePairs(raw['tags'], requestPairLimits) ?? []) attributes.add(name, value)
  return attributes
}

function sentSampleRate(raw: JsonObject): Json | undefined {
  const trace = toObject(toObject(raw['contexts'])['trace'])
  return trace['client_sample_rate'] ?? toObject(trace['data'])['sentry.sample_rate']
}
