import type { EnvelopeItem } from '#protocol/envelope.ts'
import { isJsonObject, type JsonObject } from '#protocol/json.ts'
import { parsePayloadJson } from '#protocol/payload-json.ts'
import { rejectTooLarge, rejectWhole, type IngestAnswer } from '#server/ingest/ingest-answer.ts'
import type { LeftOutCount } from '#server/ingest/ingest-envelope.ts'
import type { IngestRequest } from '#server/ingest/ingest-request.ts'
import type { IngestServices } from '#server/ingest/ingest-services.ts'
import { decodeTraceRequest } from '#server/ingest/otlp/decode-traces.ts'
import { ProtobufError } from '#server/ingest/otlp/protobuf-reader.ts'
import { orderBySegment } from '#server/ingest/otlp/segment-order.ts'
import { toSentrySpans, type OtlpSpans } from '#server/ingest/otlp/to-spans.ts'
import { limits } from '#server/limits.ts'
import type { OutcomeCount } from '#server/store/ingest/records.ts'
import { receiveEnvelope, type AuthorizedBody } from './envelope.ts'

const protobuf = 'application/x-protobuf'

/**
 * Ingests the spans of an OTLP/HTTP request (specification 1.x), in JSON or protobuf, and answers 200 in the
 * same encoding, with the number of spans that were not stored and the reasons. Other errors are answered as
 * JSON: exporters log the body, and retry 429 and 503 only.
 */
export async function receiveOtlpTraces(
  services: IngestServices,
  request: IngestRequest,
  { key, bytes }: AuthorizedBody,
): Promise<IngestAnswer> {
  const contentType = request.header('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (contentType !== protobuf && contentType !== 'application/json')
    return rejectWhole('content_type', 415, 'send OTLP as application/x-protobuf or application/json')
  if (bytes.byteLength > limits.otlpBytes) return rejectTooLarge('OTLP request exceeded size limits')
  const read = readItems(contentType, bytes)
  if (read === undefined) return rejectWhole('invalid_json', 400, 'invalid OTLP data')
  const { items, leftOut } = read
  if (items.length === 0 && leftOut.length === 0) return toOtlpAnswer(contentType, [])
  // One envelope, which is committed as a whole: exporters repeat a request that failed.
  const jsonBytes = items.length * limits.spanItemBytes
  const envelope = { header: { raw: {} }, items }
  const answer = await receiveEnvelope(services, request, {
    key,
    envelope,
    jsonBytes,
    hasAdmittedTraces: true,
    leftOut,
  })
  return answer.status === 200 ? toOtlpAnswer(contentType, answer.outcomes ?? []) : answer
}

/**
 * The spans of a request as items of an envelope. Apart from `receiveOtlpTraces`, which would keep the
 * decoded request in memory, ten times its bytes, until it is committed.
 */
function readItems(
  contentType: string,
  bytes: Uint8Array,
): { items: EnvelopeItem[]; leftOut: LeftOutCount[] } | undefined {
  const message = contentType === protobuf ? decode(bytes) : parse(bytes)
  if (message === undefined) return undefined
  const { spans, leftOut } = toSentrySpans(message)
  const items = chunksOf(orderBySegment(spans)).map((chunk) => {
    const payload = Buffer.from(JSON.stringify({ version: 2, items: chunk }))
    return { type: 'span', header: { type: 'span', item_count: chunk.length }, payload }
  })
  const counts = [...leftOut].map(([reason, quantity]) => ({ category: 'span', reason, quantity }))
  return { items, leftOut: counts }
}

function decode(bytes: Uint8Array): JsonObject | undefined {
  try {
    return decodeTraceRequest(bytes)
  } catch (thrown) {
    if (thrown instanceof ProtobufError) return undefined
    throw thrown
  }
}

function parse(bytes: Uint8Array): JsonObject | undefined {
  const json = parsePayloadJson(bytes)
  return json.ok && isJsonObject(json.value) ? json.value : undefined
}

/**
 * Items between which processing pauses. What of each is parsed at once is bounded: `limits.spanItemBytes`.
 */
function chunksOf(spans: OtlpSpans['spans']): OtlpSpans['spans'][] {
  const chunks: OtlpSpans['spans'][] = []
  for (let at = 0; at < spans.length; at += limits.otlpSpansPerItem)
    chunks.push(spans.slice(at, at + limits.otlpSpansPerItem))
  return chunks
}

/**
 * An `ExportTraceServiceResponse`: empty, or with the field 1, `partial_success`. Rejected are the spans that
 * could not be stored, not those that a filter of the project dropped.
 */
function toOtlpAnswer(contentType: string, outcomes: readonly OutcomeCount[]): IngestAnswer {
  const headers = { 'content-type': contentType }
  const rejected = outcomes.filter(
    ({ category, outcome }) => category === 'span' && (outcome === 'invalid' || outcome === 'rate_limited'),
  )
  const count = rejected.reduce((sum, { quantity }) => sum + quantity, 0)
  const reasons = [...new Set(rejected.map(({ reason }) => reason))].join(', ')
  const message = `spans were not stored: ${reasons}`
  if (contentType !== protobuf) {
    const partial = { partialSuccess: { rejectedSpans: String(count), errorMessage: message } }
    return { status: 200, headers, body: count === 0 ? '{}' : JSON.stringify(partial) }
  }
  if (count === 0) return { status: 200, headers, body: Buffer.alloc(0) }
  const text = Buffer.from(message)
  const partial = Buffer.concat([Buffer.from([0x08, ...varint(count), 0x12, ...varint(text.length)]), text])
  return {
    status: 200,
    headers,
    body: Buffer.concat([Buffer.from([0x0a, ...varint(partial.length)]), partial]),
  }
}

function varint(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) + 0x80)
    rest = Math.floor(rest / 0x80)
  }
  return [...bytes, rest]
}
