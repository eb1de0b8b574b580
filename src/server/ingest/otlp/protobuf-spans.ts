import type { Json, JsonObject } from '#protocol/json.ts'
import { limits } from '#server/limits.ts'
import type { FieldCount, FieldCounter } from './field-count.ts'
import { ProtobufFields, type MessageRange } from './protobuf-fields.ts'
import type { NextSpan } from './sent-span.ts'

/**
 * Iterates over the spans of an `ExportTraceServiceRequest` (opentelemetry-proto 1.x). Decodes a span into
 * the form of the JSON encoding: ids as hex digits, times as numbers or strings. Skips fields that spans do
 * not need. Throws `ProtobufError` and `TooManyFieldsError`.
 */
export function* readProtobufSpans(bytes: Buffer, count: FieldCount): Generator<NextSpan> {
  const whole = { start: 0, end: bytes.byteLength }
  const messages = (range: MessageRange, number: number) =>
    listMessages(bytes, range, { number, count: count.parts })
  for (const resourceSpans of messages(whole, 1)) {
    const [sent] = messages(resourceSpans, 1)
    const resource = sent === undefined ? {} : new Decoder(bytes, count.ofPart()).decodeResource(sent)
    yield undefined
    for (const scopeSpans of messages(resourceSpans, 2)) {
      yield undefined
      for (const span of messages(scopeSpans, 2))
        yield { resource, read: () => new Decoder(bytes, count.ofPart()).decodeSpan(span) }
    }
  }
}

/** The messages in one field of a message. */
function* listMessages(
  bytes: Buffer,
  range: MessageRange,
  { number, count }: { number: number; count: FieldCounter },
): Generator<MessageRange> {
  const fields = new ProtobufFields(bytes, range, count)
  while (fields.next()) {
    const { start, end } = fields
    if (fields.number === number) yield { start, end }
  }
}

/** Decodes a span or a resource. */
class Decoder {
  private readonly bytes: Buffer
  private readonly count: FieldCounter

  constructor(bytes: Buffer, count: FieldCounter) {
    this.bytes = bytes
    this.count = count
  }

  decodeResource(range: MessageRange): JsonObject {
    const attributes = this.decodePairs(range, 0)
    return { attributes }
  }

  decodeSpan(range: MessageRange): JsonObject {
    const attributes: Json[] = []
    const events: Json[] = []
    const span: JsonObject = { attributes, events }
    const fields = this.fieldsOf(range)
    while (fields.next()) {
      const { number } = fields
      if (number === 1) span['traceId'] = fields.hex()
      else if (number === 2) span['spanId'] = fields.hex()
      else if (number === 3) span['traceState'] = fields.text()
      else if (number === 4) span['parentSpanId'] = fields.hex()
      else if (number === 5) span['name'] = fields.text()
      else if (number === 6) span['kind'] = fields.low
      else if (number === 7) span['startTimeUnixNano'] = fields.toNumber()
      else if (number === 8) span['endTimeUnixNano'] = fields.toNumber()
      else if (number === 9) attributes.push(this.decodeKeyValue(fields))
      else if (number === 11) events.push(this.decodeEvent(fields))
      else if (number === 15) span['status'] = this.decodeStatus(fields)
      else if (number === 16) span['flags'] = fields.low
    }
    return span
  }

  /** Lists of values and of pairs are messages whose field 1 repeats. */
  private elementsOf(range: MessageRange): Iterable<MessageRange> {
    return listMessages(this.bytes, range, { number: 1, count: this.count })
  }

  private fieldsOf(range: MessageRange): ProtobufFields {
    return new ProtobufFields(this.bytes, range, this.count)
  }

  private decodeEvent(range: MessageRange): JsonObject {
    const attributes: Json[] = []
    const event: JsonObject = { attributes }
    const fields = this.fieldsOf(range)
    while (fields.next()) {
      if (fields.number === 2) event['name'] = fields.text()
      else if (fields.number === 3) attributes.push(this.decodeKeyValue(fields))
    }
    return event
  }

  private decodeStatus(range: MessageRange): JsonObject {
    const status: JsonObject = {}
    const fields = this.fieldsOf(range)
    while (fields.next()) {
      if (fields.number === 2) status['message'] = fields.text()
      else if (fields.number === 3) status['code'] = fields.low
    }
    return status
  }

  private decodeKeyValue(range: MessageRange, depth = 0): JsonObject {
    const pair: JsonObject = {}
    const fields = this.fieldsOf(range)
    while (fields.next()) {
      if (fields.number === 1) pair['key'] = fields.text()
      else if (fields.number === 2) pair['value'] = this.decodeValue(fields, depth)
    }
    return pair
  }

  /** Decodes an `AnyValue`. Leaves out values that are nested too deeply. */
  private decodeValue(range: MessageRange, depth: number): JsonObject {
    if (depth > limits.jsonDepth) return {}
    let decoded: JsonObject = {}
    const fields = this.fieldsOf(range)
    while (fields.next()) {
      const { number } = fields
      if (number === 1) decoded = { stringValue: fields.text() }
      else if (number === 2) decoded = { boolValue: fields.low !== 0 }
      else if (number === 3) decoded = { intValue: fields.toSignedText() }
      else if (number === 4) decoded = { doubleValue: fields.toDouble() }
      else if (number === 5) decoded = { arrayValue: { values: this.decodeValues(fields, depth + 1) } }
      else if (number === 6) decoded = { kvlistValue: { values: this.decodePairs(fields, depth + 1) } }
      else if (number === 7) decoded = { bytesValue: fields.base64() }
    }
    return decoded
  }

  private decodeValues(range: MessageRange, depth: number): Json[] {
    return Array.from(this.elementsOf(range), (value) => this.decodeValue(value, depth))
  }

  private decodePairs(range: MessageRange, depth: number): Json[] {
    return Array.from(this.elementsOf(range), (pair) => this.decodeKeyValue(pair, depth))
  }
}
