import { isJsonObject, type Json, type JsonObject } from '#protocol/json.ts'
import { limits } from '#server/limits.ts'
import { addUnderCurrentName } from '#traces/attribute-names.ts'
import { findSampleRate } from './trace-state.ts'

/** Attributes by name. */
type Attributes = ReadonlyMap<string, Json>

/**
 * Converts a span, in its JSON form, to Sentry's protocol version 2, like Relay (`otel_to_sentry_v2.rs`):
 * filters, scrubbing and the store support only that. `resource` is from `readResource`. Lenient; never
 * throws.
 */
export function toSentrySpan(span: JsonObject, resource: Attributes): JsonObject {
  const kind = kindOf(span['kind'])
  const attributes = new Map([...toCurrent(attributesOf(span), kind), ...exceptionOf(span)])
  const status = jsonOf(span['status'])
  // Some exporters write a missing parent as zeros.
  const hasParent = typeof span['parentSpanId'] === 'string' && !/^0*$/.test(span['parentSpanId'])
  const sampleRate = findSampleRate(span['traceState'])
  const own: Attributes = new Map<string, Json>([
    ['sentry.op', deriveOp(attributes, kind)],
    ['sentry.origin', 'auto.otlp.spans'],
    ['sentry.kind', kind],
    ...(sampleRate === undefined ? [] : [['sentry.sample_rate', sampleRate] as const]),
    ...(isNamed(status['message']) ? [['sentry.status.message', status['message']] as const] : []),
  ])
  return {
    trace_id: span['traceId'] ?? null,
    span_id: span['spanId'] ?? null,
    ...(hasParent && { parent_span_id: span['parentSpanId'] ?? null }),
    name: span['name'] ?? null,
    status: status['code'] === 2 || status['code'] === 'STATUS_CODE_ERROR' ? 'error' : 'ok',
    is_segment: !hasParent || isRemote(span['flags'], kind),
    start_timestamp: toSeconds(span['startTimeUnixNano']),
    end_timestamp: toSeconds(span['endTimeUnixNano']),
    attributes: toSentAttributes([...own, ...attributes, ...resource]),
  }
}

function isNamed(message: Json | undefined): message is string {
  return typeof message === 'string' && message !== ''
}

/** Flags of a span: whether it is known that its parent is remote, and whether it is. */
const flagKnown = 0x100
const flagRemote = 0x200

/** Older SDKs do not set the flags. For them, a server or a consumer continues a trace of another process. */
function isRemote(flags: Json | undefined, kind: string): boolean {
  const bits = typeof flags === 'number' ? flags : 0
  if ((bits & flagKnown) !== 0) return (bits & flagRemote) !== 0
  return kind === 'server' || kind === 'consumer'
}

const kinds = ['internal', 'internal', 'server', 'client', 'producer', 'consumer']

/** Kinds by number or by name: OTLP has numbers in JSON, but other protobuf encoders write names. */
function kindOf(kind: Json | undefined): string {
  if (typeof kind === 'number') return kinds[kind] ?? 'internal'
  const name = typeof kind === 'string' ? kind.replace(/^SPAN_KIND_/, '').toLowerCase() : ''
  return kinds.includes(name) ? name : 'internal'
}

/**
 * The attributes under their current names. An attribute that was sent under its current name takes
 * precedence: SDKs send both while applications migrate.
 */
function toCurrent(sent: Attributes, kind: string): Attributes {
  const attributes = new Map<string, Json>()
  for (const [name, value] of sent) {
    // The peer of a server is a client.
    const isClient = kind === 'server' && name.startsWith('net.peer.') && name !== 'net.peer.ip'
    const own = isClient ? name.replace('net.peer.', 'client.').replace('.name', '.address') : name
    addUnderCurrentName([own, value], (current, read) => {
      if (current === name || !sent.has(current)) attributes.set(current, read)
    })
  }
  return attributes
}

/** Relay's rules (`relay-spans/src/op.rs`), with the operations of queues. */
function deriveOp(attributes: Attributes, kind: string): string {
  const has = (name: string) => attributes.has(name)
  if (has('http.request.method')) return kind === 'client' || kind === 'server' ? `http.${kind}` : 'http'
  if (has('db.system.name')) return 'db'
  if (has('gen_ai.provider.name')) return 'gen_ai'
  if (has('rpc.system') || has('rpc.service') || has('rpc.system.name')) return 'rpc'
  if (has('messaging.system')) return queueOp(attributes.get('messaging.operation.type'), kind)
  const trigger = attributes.get('faas.trigger')
  return typeof trigger === 'string' ? trigger : 'default'
}

/** Sentry's ops for queues by OpenTelemetry's operations, with their earlier names, or by span kind. */
const queueOps: ReadonlyMap<Json, string> = new Map([
  ['create', 'queue.create'],
  ['send', 'queue.publish'],
  ['publish', 'queue.publish'],
  ['producer', 'queue.publish'],
  ['receive', 'queue.receive'],
  ['process', 'queue.process'],
  ['deliver', 'queue.process'],
  ['consumer', 'queue.process'],
  ['settle', 'queue.settle'],
])

function queueOp(operation: Json | undefined, kind: string): string {
  return queueOps.get(operation ?? '') ?? queueOps.get(kind) ?? 'queue'
}

/** The exception that an instrumentation recorded as a span event. */
function exceptionOf(span: JsonObject): Attributes {
  const event = listOf(span['events']).find((each) => jsonOf(each)['name'] === 'exception')
  const attributes = attributesOf(jsonOf(event))
  return new Map(
    ['exception.type', 'exception.message'].flatMap((name) => {
      const value = attributes.get(name)
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

const platforms = new Map([
  ['nodejs', 'node'],
  ['webjs', 'javascript'],
  ['dotnet', 'csharp'],
])

/**
 * The attributes of a `Resource` for its spans, under Sentry's names if there are any. Omits lists, objects
 * and long texts: every span gets a copy.
 */
export function readResource(resource: JsonObject): Attributes {
  const attributes = new Map([...attributesOf(resource)].filter(([, value]) => isShort(value)))
  const named = new Map<string, Json>()
  const environment =
    attributes.get('deployment.environment.name') ?? attributes.get('deployment.environment')
  const release = attributes.get('service.version')
  const language = attributes.get('telemetry.sdk.language')
  if (environment !== undefined) named.set('sentry.environment', environment)
  if (release !== undefined) named.set('sentry.release', release)
  if (typeof language === 'string') named.set('sentry.platform', platforms.get(language) ?? language)
  const service = attributes.get('service.name')
  if (service !== undefined) named.set('service.name', service)
  return named
}

function isShort(value: Json): boolean {
  return typeof value === 'string'
    ? value.length <= limits.otlpServiceCharacters
    : typeof value === 'number' || typeof value === 'boolean'
}

function attributesOf(holder: JsonObject): Attributes {
  const attributes = new Map<string, Json>()
  for (const pair of listOf(holder['attributes']).slice(0, limits.segmentAttributes)) {
    const { key, value } = jsonOf(pair)
    if (typeof key === 'string') attributes.set(key, plainValue(jsonOf(value), 0))
  }
  return attributes
}

/** An `AnyValue` as JSON. */
function plainValue(value: JsonObject, depth: number): Json {
  if (depth > limits.jsonDepth) return null
  if (value['stringValue'] !== undefined) return cutValue(value['stringValue'])
  if (value['boolValue'] !== undefined) return value['boolValue']
  if (value['doubleValue'] !== undefined) return value['doubleValue']
  if (value['intValue'] !== undefined) return plainInteger(value['intValue'])
  if (value['bytesValue'] !== undefined) return value['bytesValue']
  const list = jsonOf(value['arrayValue'])['values']
  if (list !== undefined) return listOf(list).map((each) => plainValue(jsonOf(each), depth + 1))
  const pairs = listOf(jsonOf(value['kvlistValue'])['values']).map((pair) => {
    const { key, value: nested } = jsonOf(pair)
    return [typeof key === 'string' ? key : '', plainValue(jsonOf(nested), depth + 1)] as const
  })
  return Object.fromEntries(pairs)
}

/** A string cut to a length that suffices for scrubbing and every limit of the store. */
function cutValue(sent: Json): Json {
  return typeof sent === 'string' ? sent.slice(0, limits.otlpTextCharacters) : sent
}

/**
 * A number from a string, because JSON has no 64-bit integers; values that a number cannot represent remain
 * strings.
 */
function plainInteger(sent: Json): Json {
  const value = Number(sent)
  return typeof sent === 'string' && Number.isSafeInteger(value) ? value : sent
}

function toSentAttributes(attributes: readonly (readonly [string, Json])[]): JsonObject {
  return Object.fromEntries(attributes.map(([name, value]) => [name, { value }]))
}

/** Unix nanoseconds, a string or a number, as seconds. */
function toSeconds(nanos: Json | undefined): Json {
  const value = typeof nanos === 'string' || typeof nanos === 'number' ? Number(nanos) : Number.NaN
  return Number.isFinite(value) ? value / 1e9 : null
}

function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : []
}

function jsonOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}
