import { isJsonObject, type Json, type JsonObject } from '#protocol/json.ts'
import { limits } from '#server/limits.ts'
import { listSentNames } from '#traces/attribute-names.ts'
import type { Span, TraceSegment } from '#traces/span.ts'
import {
  correctClock,
  drop,
  rootsFirst,
  type ReadSpans,
  type SpanContext,
  type SpanProblem,
} from './read-segment.ts'
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

/** A span with its attributes as sent. */
interface SentSpan {
  span: Span
  attributes: JsonObject
}

/**
 * Reads spans of protocol version 2, which may be of several traces: one segment per trace and service
 * (OpenTelemetry requests have several services), because environment and release belong to a segment. As
 * lenient as `readTransaction`.
 */
export function readSpansV2(items: readonly Json[], context: SpanContext): ReadSpans {
  const reader = new SpansReader(context)
  for (const entry of items) reader.add(entry)
  return reader.finish()
}

/** `readSpansV2`, one span at a time. */
export class SpansReader {
  private readonly dropped = new Map<SpanProblem, number>()
  private readonly groups = new Map<string, SentSpan[]>()
  private readonly ids = new Set<string>()
  private readonly context: SpanContext

  constructor(context: SpanContext) {
    this.context = context
  }

  add(entry: Json): void {
    const sent = readSpan(entry)
    const id = `${sent?.span.traceId}${sent?.span.spanId}`
    if (sent === undefined || this.ids.has(id)) drop(this.dropped, 'invalid_span')
    else if (addToGroup(this.groups, sent)) this.ids.add(id)
    else drop(this.dropped, 'too_many_spans')
  }

  finish(): ReadSpans {
    const segments = [...this.groups.values()].flatMap((sent) => toSegment(sent, this.context) ?? [])
    return { segments, dropped: this.dropped }
  }
}

/** The attributes that distinguish the services of a trace. */
const serviceNames = ['service.name', 'sentry.release', 'sentry.environment'] as const

/** Returns false if there are too many. */
function addToGroup(groups: Map<string, SentSpan[]>, sent: SentSpan): boolean {
  const service = serviceNames.map((name) => valueOf(sent.attributes[name]) ?? null)
  const key = `${sent.span.traceId}${JSON.stringify(service)}`
  let group = groups.get(key)
  if (group === undefined && groups.size < limits.segmentsPerItem) {
    group = []
    groups.set(key, group)
  }
  if (group === undefined || group.length >= limits.spansPerSegment) return false
  group.push(sent)
  return true
}

function toSegment(sent: readonly SentSpan[], context: SpanContext): TraceSegment | undefined {
  const spans = rootsFirst(sent.map(({ span }) => span))
  if (spans === undefined) return undefined
  correctClock(spans, context)
  const first = sent.find(({ span }) => span === spans[0])?.attributes ?? {}
  const value = (name: string) => valueOf(first[name])
  const transaction =
    (spans[0].isSegment ? spans[0].name : undefined) ??
    parseLine(value('sentry.segment.name'), limits.culpritCharacters) ??
    ''
  return {
    kind: 'spans',
    traceId: spans[0].traceId,
    spans,
    transaction,
    ...findOtherTransactions(sent, transaction),
    transactionSource: parseSource(value('sentry.segment.name.source') ?? value('sentry.source')),
    environment: parseEnvironment(value('sentry.environment')),
    release: parseLine(value('sentry.release'), limits.releaseCharacters),
    platform: platformOf(value('sentry.platform'), value('sentry.sdk.name')),
    sampleRate: parseSampleRate(
      value('sentry.sample_rate') ?? value('sentry.client_sample_rate') ?? context.sampleRate,
    ),
  }
}

/** The names of further root spans that are not in the item but whose spans are. */
function findOtherTransactions(
  sent: readonly SentSpan[],
  transaction: string,
): Pick<TraceSegment, 'otherTransactions'> | undefined {
  const rootIds = new Set(sent.flatMap(({ span }) => (span.isSegment ? [span.spanId] : [])))
  const names = new Map<string, string>()
  for (const { span, attributes } of sent) {
    const { segmentId } = span
    if (segmentId === undefined || rootIds.has(segmentId) || names.has(segmentId)) continue
    const name = parseLine(valueOf(attributes['sentry.segment.name']), limits.culpritCharacters)
    if (name !== undefined) names.set(segmentId, name)
  }
  return [...names.values()].some((name) => name !== transaction) ? { otherTransactions: names } : undefined
}

/** Attributes that every span repeats and that its segment has. */
const repeatedNames =
  /^(?:sentry\.(?:release|environment|platform|sdk\..*|segment\..*|op|source|status\.message|description|sample_rate|trace_lifecycle)|culture\..*)$/
/** Attributes that every span repeats and that only a root span keeps. */
const rootNames =
  /^(?:browser\.(?:name|version)|user_agent\.original|user\..*|os\..*|device\..*|thread\..*|sentry\.(?:replay_id|profiler_id|is_localhost))$/

function readSpan(entry: Json): SentSpan | undefined {
  if (!isJsonObject(entry)) return undefined
  const core = parseSpanCore(entry, { end: entry['end_timestamp'] })
  if (core === undefined) return undefined
  const attributes = toObject(entry['attributes'])
  const op = parseLine(valueOf(attributes['sentry.op']), limits.spanOpCharacters) ?? 'default'
  const isSegment = entry['is_segment'] === true && !isPageMeasurement(op)
  const sentStatus = parseLine(entry['status'], limits.spanStatusCharacters) ?? 'ok'
  const status = sentStatus === 'ok' ? 'ok' : 'error'
  const message = parseLine(valueOf(attributes['sentry.status.message']), limits.spanStatusCharacters)
  const span: Span = {
    ...core,
    segmentId: isSegment ? core.spanId : parseSpanId(valueOf(attributes['sentry.segment.id'])),
    isSegment,
    op,
    name: parseLine(entry['name'], limits.culpritCharacters) ?? op,
    description: findDescription(attributes),
    status,
    statusText: status === 'ok' ? 'ok' : (message ?? sentStatus),
    attributes: readAttributes(attributes, isSegment),
  }
  return { span, attributes }
}

/** Attributes that are more specific than a span's name, most specific first. */
const descriptionNames = ['sentry.description', 'db.query.text', 'url.full'].flatMap(listSentNames)

function findDescription(attributes: JsonObject): string | undefined {
  for (const name of descriptionNames) {
    const text = parseText(valueOf(attributes[name]), limits.spanDescriptionCharacters)
    if (text !== undefined) return text
  }
  return undefined
}

function readAttributes(sent: JsonObject, isSegment: boolean): Span['attributes'] {
  const attributes = new AttributeReader(isSegment ? limits.segmentAttributes : limits.spanAttributes)
  let readCount = 0
  for (const name in sent) {
    readCount += 1
    if (readCount > 2 * limits.segmentAttributes) break
    const isKept = isSegment
      ? !repeatedNames.test(name) || name.startsWith('sentry.sdk.')
      : !repeatedNames.test(name) && !rootNames.test(name)
    if (isKept && name !== 'sentry.sdk.integrations') attributes.add(name, valueOf(sent[name]))
  }
  return attributes.values
}

/** The value in `{ "value": 200, "type": "integer" }`. */
function valueOf(attribute: Json | undefined): Json | undefined {
  return isJsonObject(attribute) ? attribute['value'] : undefined
}

/** The platform, which spans lack, derived from the name of the SDK. */
function platformOf(sent: Json | undefined, sdk: Json | undefined): string {
  const platform = parseLine(sent, limits.symbolCharacters)
  if (platform !== undefined) return platform
  const [, language = 'other', runtime = ''] = typeof sdk === 'string' ? sdk.split('.') : []
  if (language !== 'javascript') return language
  return /^(?:node|bun|deno|aws-serverless|google-cloud-serverless|nestjs|cloudflare)/.test(runtime)
    ? 'node'
    : 'javascript'
}
