import type { Json, JsonObject } from '#protocol/json.ts'
import { limits } from '#server/limits.ts'
import { readFields } from './protobuf-reader.ts'

/**
 * Decodes an `ExportTraceServiceRequest` (opentelemetry-proto 1.x) into the form that the JSON encoding has:
 * ids as hex digits, times as texts. Fields that spans do not need are skipped. Throws `ProtobufError`.
 */
export function decodeTraceRequest(bytes: Uint8Array): JsonObject {
  return { resourceSpans: messagesOf(bytes, 1).map(decodeResourceSpans) }
}

function decodeResourceSpans(bytes: Uint8Array): JsonObject {
  const [resource] = messagesOf(bytes, 1)
  return {
    resource: { attributes: resource === undefined ? [] : messagesOf(resource, 1).map(decodeKeyValue) },
    scopeSpans: messagesOf(bytes, 2).map((scope) => ({ spans: messagesOf(scope, 2).map(decodeSpan) })),
  }
}

function messagesOf(bytes: Uint8Array, number: number): Uint8Array[] {
  return [...readFields(bytes)].filter((field) => field.number === number).map((field) => field.bytes)
}

const decoder = new TextDecoder()

function decodeSpan(bytes: Uint8Array): JsonObject {
  const attributes: Json[] = []
  const events: Json[] = []
  const span: JsonObject = { attributes, events }
  for (const { number, bits, bytes: value } of readFields(bytes)) {
    if (number === 1) span['traceId'] = Buffer.from(value).toString('hex')
    else if (number === 2) span['spanId'] = Buffer.from(value).toString('hex')
    else if (number === 4) span['parentSpanId'] = Buffer.from(value).toString('hex')
    else if (number === 5) span['name'] = decoder.decode(value)
    else if (number === 6) span['kind'] = Number(bits)
    else if (number === 7) span['startTimeUnixNano'] = String(bits)
    else if (number === 8) span['endTimeUnixNano'] = String(bits)
    else if (number === 9) attributes.push(decodeKeyValue(value))
    else if (number === 11) events.push(decodeEvent(value))
    else if (number === 15) span['status'] = decodeStatus(value)
    else if (number === 16) span['flags'] = Number(bits)
  }
  return span
}

function decodeEvent(bytes: Uint8Array): JsonObject {
  const attributes: Json[] = []
  const event: JsonObject = { attributes }
  for (const { number, bytes: value } of readFields(bytes)) {
    if (number === 2) event['name'] = decoder.decode(value)
    else if (number === 3) attributes.push(decodeKeyValue(value))
  }
  return event
}

function decodeStatus(bytes: Uint8Array): JsonObject {
  const status: JsonObject = {}
  for (const { number, bits, bytes: value } of readFields(bytes)) {
    if (number === 2) status['message'] = decoder.decode(value)
    else if (number === 3) status['code'] = Number(bits)
  }
  return status
}

function decodeKeyValue(bytes: Uint8Array, depth = 0): JsonObject {
  const pair: JsonObject = {}
  for (const { number, bytes: value } of readFields(bytes)) {
    if (number === 1) pair['key'] = decoder.decode(value)
    else if (number === 2) pair['value'] = decodeValue(value, depth)
  }
  return pair
}

/** An `AnyValue`. Values nested too deeply are left out. */
function decodeValue(bytes: Uint8Array, depth: number): JsonObject {
  if (depth > limits.jsonDepth) return {}
  let decoded: JsonObject = {}
  for (const { number, bits, bytes: value } of readFields(bytes)) {
    if (number === 1) decoded = { stringValue: decoder.decode(value) }
    else if (number === 2) decoded = { boolValue: bits !== 0n }
    else if (number === 3) decoded = { intValue: String(BigInt.asIntN(64, bits)) }
    else if (number === 4) decoded = { doubleValue: toDouble(bits) }
    else if (number === 5) decoded = { arrayValue: { values: listOf(value, decodeValue, depth) } }
    else if (number === 6) decoded = { kvlistValue: { values: listOf(value, decodeKeyValue, depth) } }
    else if (number === 7) decoded = { bytesValue: Buffer.from(value).toString('base64') }
  }
  return decoded
}

function listOf(
  bytes: Uint8Array,
  decode: (value: Uint8Array, depth: number) => JsonObject,
  depth: number,
): Json[] {
  return messagesOf(bytes, 1).map((value) => decode(value, depth + 1))
}

function toDouble(bits: bigint): number {
  const view = new DataView(new ArrayBuffer(8))
  view.setBigUint64(0, bits)
  return view.getFloat64(0)
}
