import type { EnvelopeItem } from '#protocol/envelope.ts'
import { isJsonObject, type Json, type JsonObject } from '#protocol/json.ts'
import { toSpanItem } from '#server/ingest/envelope/span-containers.ts'
import type { SliceTask } from '#server/ingest/slice-task.ts'
import { limits } from '#server/limits.ts'
import { drop, type SpanProblem } from '#server/normalize/spans/read-segment.ts'
import { FieldCount, TooManyFieldsError } from './field-count.ts'
import { JsonError } from './json-cursor.ts'
import { readJsonSpans } from './json-spans.ts'
import { ProtobufError } from './protobuf-fields.ts'
import { readProtobufSpans } from './protobuf-spans.ts'
import { listTraces, type ExportedSpan } from './segment-order.ts'
import { readResource, toSentrySpan } from './to-spans.ts'

/** The spans of a request as items of an envelope, or the reason why it is rejected. */
export type OtlpResult =
  | { kind: 'read'; items: EnvelopeItem[]; leftOut: ReadonlyMap<SpanProblem, number> }
  | { kind: 'invalid' }
  | { kind: 'too_large'; problem: string }

/** The encodings of OTLP over HTTP. */
export type OtlpEncoding = 'protobuf' | 'json'

/**
 * Parses an `ExportTraceServiceRequest` span by span: only the current span is in memory as an object. Spans
 * beyond `limits.otlpSpans` are counted, but not parsed.
 */
export class OtlpReading implements SliceTask<OtlpResult> {
  private result: OtlpResult | undefined
  private steps: Generator<undefined, OtlpResult>
  private readonly bytes: Buffer
  private readonly encoding: OtlpEncoding

  constructor(bytes: Buffer, encoding: OtlpEncoding) {
    this.bytes = bytes
    this.encoding = encoding
    this.steps = readSteps(bytes, encoding)
  }

  get isDone(): boolean {
    return this.result !== undefined
  }

  get byteCount(): number {
    return this.bytes.byteLength
  }

  run(hasTime: () => boolean): void {
    try {
      do {
        const { done, value } = this.steps.next()
        if (done === true) this.result = value
      } while (this.result === undefined && hasTime())
    } catch (thrown) {
      this.result = toRejection(thrown)
    }
  }

  restart(): void {
    this.steps = readSteps(this.bytes, this.encoding)
  }

  giveUp(cause: Error): void {
    this.result = { kind: 'too_large', problem: cause.message }
  }

  finish(): OtlpResult {
    return this.result ?? { kind: 'invalid' }
  }
}

function toRejection(thrown: unknown): OtlpResult {
  if (thrown instanceof ProtobufError || thrown instanceof JsonError) return { kind: 'invalid' }
  if (thrown instanceof TooManyFieldsError) return { kind: 'too_large', problem: thrown.message }
  throw thrown
}

/** A parsed span. */
interface WrittenSpan extends ExportedSpan {
  /** In Sentry's protocol version 2, as JSON. It ends with the attributes, which are never empty. */
  text: string
}

/** Pauses at each `yield`. */
function* readSteps(bytes: Buffer, encoding: OtlpEncoding): Generator<undefined, OtlpResult> {
  const leftOut = new Map<SpanProblem, number>()
  const spans: WrittenSpan[] = []
  const services = cacheServices()
  const read = encoding === 'protobuf' ? readProtobufSpans : readJsonSpans
  for (const sent of read(bytes, new FieldCount())) {
    yield undefined
    if (sent === undefined) continue
    if (spans.length >= limits.otlpSpans) drop(leftOut, 'too_many_spans')
    else {
      const span = sent.read()
      if (isJsonObject(span)) spans.push(writeSpan(span, services(sent.resource)))
      else drop(leftOut, 'invalid_span')
    }
  }
  const items: EnvelopeItem[] = []
  for (const ofTrace of listTraces(spans)) {
    for (const item of toItems(ofTrace)) {
      items.push(item)
      yield undefined
    }
  }
  return { kind: 'read', items, leftOut }
}

interface Service {
  attributes: ReturnType<typeof readResource>
  id: string
}

/** Parses the service of each resource once for all its spans. */
function cacheServices(): (resource: JsonObject) => Service {
  let last: { resource: JsonObject; service: Service } | undefined
  return (resource) => {
    if (last?.resource !== resource) {
      const attributes = readResource(resource)
      last = { resource, service: { attributes, id: JSON.stringify([...attributes]) } }
    }
    return last.service
  }
}

function writeSpan(sent: JsonObject, { attributes, id: service }: Service): WrittenSpan {
  const span = toSentrySpan(sent, attributes)
  const { trace_id: traceId, span_id: spanId, parent_span_id: parentId, is_segment, name } = span
  return {
    traceId: textOf(traceId, limits.otlpServiceCharacters) ?? '',
    spanId: textOf(spanId, limits.otlpServiceCharacters) ?? '',
    parentSpanId: textOf(parentId, limits.otlpServiceCharacters),
    isSegment: is_segment === true,
    service,
    // As long as the attribute that its descendants get.
    name: textOf(name, limits.spanAttributeCharacters) ?? '',
    text: JSON.stringify(span),
  }
}

function textOf(value: Json | undefined, maxCharacters: number): string | undefined {
  return typeof value === 'string' ? value.slice(0, maxCharacters) : undefined
}

/** Bytes of the spans of an item, without the surrounding JSON. */
const maxBytes = limits.otlpItemBytes - 100

/**
 * The spans of a trace as one item, so that they are analyzed together, or as several items if they are too
 * many, or too large, for one.
 */
function* toItems(spans: readonly WrittenSpan[]): Generator<EnvelopeItem> {
  let texts: string[] = []
  let size = 0
  for (const span of spans) {
    const text = withSegment(span)
    const byteCount = Buffer.byteLength(text) + 1
    if (texts.length >= limits.spansPerSegment || (size + byteCount > maxBytes && texts.length > 0)) {
      yield toSpanItem(texts.join(','), texts.length)
      texts = []
      size = 0
    }
    texts.push(text)
    size += byteCount
  }
  yield toSpanItem(texts.join(','), texts.length)
}

/** The text of a span with the id and the name of its root span, which may be in another item. */
function withSegment({ text, segment }: WrittenSpan): string {
  if (segment === undefined) return text
  const added = { 'sentry.segment.id': segment.spanId, 'sentry.segment.name': segment.name }
  const attributes = Object.entries(added).map(([name, value]) => `"${name}":${JSON.stringify({ value })}`)
  return `${text.slice(0, -2)},${attributes.join(',')}}}`
}
