import { isJsonObject, type Json, type JsonObject } from '#protocol/json.ts'
import { limits } from '#server/limits.ts'
import type { Span, TraceSegment } from '#traces/span.ts'
import { correctClock, type ReadSpans, type SpanContext } from './read-segment.ts'
import {
  AttributeReader,
  isPageMeasurement,
  toObject,
  parseEnvironment,
  parseLine,
  parseSampleRate,
  parseSource,
  parseSpanCore,
  parseSpanId,
  parseText,
} from './span-fields.ts'

/** The fields of a span that are in its transaction or envelope. */
interface SpanOrigin {
  /** Used if the span has none. */
  traceId?: string | undefined
  attributes?: AttributeReader
}

/**
 * Reads a span of protocol version 1, from a transaction or a separate item. Undefined unless it has ids and
 * an end that is not before its start.
 */
export function readSpanV1(
  entry: Json,
  { traceId, attributes = new AttributeReader() }: SpanOrigin,
): Span | undefined {
  if (!isJsonObject(entry)) return undefined
  const core = parseSpanCore(entry, { end: entry['timestamp'], traceId })
  if (core === undefined) return undefined
  const data = toObject(entry['data'])
  attributes.addAll(data)
  addMeasurements(attributes, entry['measurements'])
  attributes.addAll(toObject(entry['tags']))
  attributes.add('sentry.origin', entry['origin'])
  const op = parseLine(entry['op'] ?? data['sentry.op'], limits.spanOpCharacters) ?? 'default'
  const description = parseText(entry['description'], limits.spanDescriptionCharacters)
  const statusText = parseStatus(entry['status'])
  return {
    ...core,
    segmentId: parseSpanId(entry['segment_id']),
    isSegment: entry['is_segment'] === true,
    op,
    name: parseLine(description, limits.culpritCharacters) ?? op,
    description,
    status: statusText === 'ok' ? 'ok' : 'error',
    statusText,
    attributes: attributes.values,
  }
}

/** The statuses by number, as in gRPC. */
const numberedStatuses =
  'ok cancelled unknown invalid_argument deadline_exceeded not_found already_exists permission_denied resource_exhausted failed_precondition aborted out_of_range unimplemented internal_error unavailable data_loss unauthenticated'.split(
    ' ',
  )

/** Other names of statuses in SDKs, as in Relay. */
const renamedStatuses = new Map([
  ['success', 'ok'],
  ['failure', 'internal_error'],
  ['unknown_error', 'unknown'],
])

function parseStatus(value: Json | undefined): string {
  if (typeof value === 'number') return numberedStatuses[value] ?? 'ok'
  const text = parseLine(value, limits.spanStatusCharacters) ?? 'ok'
  return renamedStatuses.get(text) ?? text
}

/**
 * Reads an item that is a single span of version 1, such as an interaction with a page. Like Relay, does not
 * treat it as a root span although SDKs mark it as one: it is a part of its page load.
 */
export function readSpanItemV1(raw: JsonObject, context: SpanContext): ReadSpans {
  const span = readSpanV1(raw, {})
  if (span === undefined) return { segments: [], dropped: new Map([['invalid_span', 1]]) }
  correctClock([span], context)
  const data = toObject(raw['data'])
  if (isPageMeasurement(span.op)) span.isSegment = false
  const segment: TraceSegment = {
    kind: 'spans',
    traceId: span.traceId,
    spans: [span],
    transaction: parseLine(data['transaction'], limits.culpritCharacters) ?? '',
    transactionSource: parseSource(undefined),
    environment: parseEnvironment(data['environment']),
    release: parseLine(data['release'], limits.releaseCharacters),
    platform: parseLine(raw['platform'], limits.symbolCharacters) ?? 'javascript',
    sampleRate: parseSampleRate(context.sampleRate),
  }
  return { segments: [segment], dropped: new Map() }
}

const webVitals = new Set(['lcp', 'fcp', 'cls', 'inp', 'ttfb', 'fid', 'fp'])

/**
 * Adds measurements under their names in version 2: `browser.web_vital.lcp.value`, and `measurement.<name>`
 * for all others.
 */
export function addMeasurements(attributes: AttributeReader, raw: Json | undefined): void {
  for (const [name, measured] of Object.entries(toObject(raw))) {
    const value = toObject(measured)['value']
    if (typeof value !== 'number') continue
    attributes.add(webVitals.has(name) ? `browser.web_vital.${name}.value` : `measurement.${name}`, value)
  }
}
