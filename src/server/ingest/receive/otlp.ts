import { rejectTooLarge, rejectWhole, type IngestAnswer } from '#server/ingest/ingest-answer.ts'
import { mediaTypeOf, type IngestRequest } from '#server/ingest/ingest-request.ts'
import type { IngestServices } from '#server/ingest/ingest-services.ts'
import { OtlpReading } from '#server/ingest/otlp/otlp-reading.ts'
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
  body: AuthorizedBody,
): Promise<IngestAnswer> {
  const { bytes } = body
  const contentType = mediaTypeOf(request)
  if (contentType !== protobuf && contentType !== 'application/json')
    return rejectWhole('content_type', 415, 'send OTLP as application/x-protobuf or application/json')
  if (bytes.byteLength > limits.otlpBytes) return rejectTooLarge('OTLP request exceeded size limits')
  if (bytes.byteLength <= limits.otlpTogetherBytes)
    return ingestSpans(services, request, { body, contentType })
  const { largeExports } = services
  await largeExports.acquire()
  try {
    return await ingestSpans(services, request, { body, contentType })
  } finally {
    largeExports.release()
  }
}

async function ingestSpans(
  services: IngestServices,
  request: IngestRequest,
  { body: { key, bytes }, contentType }: { body: AuthorizedBody; contentType: string },
): Promise<IngestAnswer> {
  const encoding = contentType === protobuf ? 'protobuf' : 'json'
  const read = await services.sliceQueue.run(new OtlpReading(bytes, encoding), services.admission)
  if (read.kind === 'too_large') return rejectTooLarge(`OTLP request exceeded size limits: ${read.problem}`)
  if (read.kind === 'invalid') return rejectWhole('invalid_json', 400, 'invalid OTLP data')
  const { items } = read
  const leftOut = [...read.leftOut].map(([reason, quantity]) => ({ category: 'span', reason, quantity }))
  if (items.length === 0 && leftOut.length === 0) return toOtlpAnswer(contentType, [])
  // One envelope: exporters repeat a failed request, and its last commit has everything that is counted once.
  const answer = await receiveEnvelope(services, request, {
    key,
    envelope: { header: { raw: {} }, items },
    spanBytes: items.length * limits.spanItemBytes,
    isExport: true,
    leftOut,
  })
  return answer.status === 200 ? toOtlpAnswer(contentType, answer.outcomes ?? []) : answer
}

/**
 * An `ExportTraceServiceResponse`: empty, or with the field 1, `partial_success`. Spans that could not be
 * stored count as rejected; spans that a filter of the project dropped do not.
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
