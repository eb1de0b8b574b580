import { isJsonObject, type Json, type JsonObject } from '#protocol/json.ts'
import { parseTimestamp } from '#protocol/timestamp.ts'
import { limits } from '#server/limits.ts'
import { cleanText, cutText, firstLine } from '#server/normalize/text.ts'
import { addUnderCurrentName } from '#traces/attribute-names.ts'
import type { Span, SpanAttribute, TransactionSource } from '#traces/span.ts'
import { appConfig } from '../../../../app.config.ts'

const traceIdPattern = /^[0-9a-f]{32}$/
const spanIdPattern = /^[0-9a-f]{16}$/
const zeros = /^0+$/

/**
 * Parses a trace id as 32 lower-case hex digits, with or without dashes; undefined for any other value and
 * for zeros.
 */
export function parseTraceId(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 36) return undefined
  const id = value.replaceAll('-', '').toLowerCase()
  return traceIdPattern.test(id) && !zeros.test(id) ? id : undefined
}

/** Parses a span id as 16 lower-case hex digits; undefined for any other value and for zeros. */
export function parseSpanId(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length !== 16) return undefined
  const id = value.toLowerCase()
  return spanIdPattern.test(id) && !zeros.test(id) ? id : undefined
}

const fraction = /:\d\d[.,](\d{4,12})/

/**
 * Parses the formats of times in spans: Unix seconds, or RFC 3339. Returns Unix milliseconds with their
 * fraction, which `parseTimestamp` rounds.
 */
function parseSpanTime(value: unknown): number | undefined {
  const wholeMs = parseTimestamp(value)
  if (wholeMs === undefined) return undefined
  if (typeof value === 'number') return Math.round(value * 1_000_000) / 1000
  const digits = typeof value === 'string' ? fraction.exec(value)?.[1] : undefined
  if (digits === undefined) return wholeMs
  const fractionMs = Number(`0.${digits}`) * 1000
  return wholeMs - Math.round(fractionMs) + Math.round(fractionMs * 1000) / 1000
}

/** The start and the duration of a span; undefined if it ends before it begins, or is implausibly long. */
function parseSpanTimes(start: unknown, end: unknown): Pick<Span, 'startedAt' | 'durationUs'> | undefined {
  const startedAt = parseSpanTime(start)
  const endedAt = parseSpanTime(end)
  if (startedAt === undefined || endedAt === undefined) return undefined
  const durationUs = Math.round((endedAt - startedAt) * 1000)
  if (durationUs < 0 || durationUs > limits.spanDurationMs * 1000) return undefined
  return { startedAt, durationUs }
}

/**
 * The ids and times of a span of either version, which differ only in the field of the end; undefined if one
 * is missing or invalid. `traceId` is used if the span has none. A parent that is the span itself is ignored.
 */
export function parseSpanCore(
  entry: JsonObject,
  { end, traceId: knownId }: { end: unknown; traceId?: string | undefined },
): Pick<Span, 'traceId' | 'spanId' | 'parentSpanId' | 'startedAt' | 'durationUs'> | undefined {
  const spanId = parseSpanId(entry['span_id'])
  const traceId = parseTraceId(entry['trace_id']) ?? knownId
  const times = parseSpanTimes(entry['start_timestamp'], end)
  if (spanId === undefined || traceId === undefined || times === undefined) return undefined
  const parentSpanId = parseSpanId(entry['parent_span_id'])
  return { traceId, spanId, ...(parentSpanId !== spanId && { parentSpanId }), ...times }
}

/** A text of one line, truncated; undefined for any other value and for the empty text. */
export function parseLine(value: unknown, maxCharacters: number): string | undefined {
  if (typeof value !== 'string') return undefined
  return cleanText(firstLine(value, maxCharacters), maxCharacters) || undefined
}

/** A text, truncated; undefined for any other value and for the empty text. */
export function parseText(value: unknown, maxCharacters: number): string | undefined {
  return typeof value === 'string' && value !== '' ? cleanText(value, maxCharacters) : undefined
}

/** The environment as sent; by default the same as for events. */
export function parseEnvironment(value: unknown): string {
  const sent = parseLine(value, limits.environmentCharacters)
  return sent === undefined || sent === 'none' ? appConfig.defaultEnvironment : sent
}

/**
 * True for the op of a web vital or of an interaction with a page. SDKs mark such a span as a root span; like
 * Relay, Culvert treats it as a part of its page load. `ui.load`, a screen of an app, is a root span.
 */
export function isPageMeasurement(op: string): boolean {
  return op.startsWith('ui.interaction.') || op.startsWith('ui.webvital.')
}

const sources: ReadonlySet<unknown> = new Set<TransactionSource>([
  'custom',
  'url',
  'route',
  'view',
  'component',
  'task',
  'sanitized',
])

/** Which part of a name identifies an endpoint, as sent. */
export function parseSource(value: unknown): TransactionSource {
  return isSource(value) ? value : 'unknown'
}

function isSource(value: unknown): value is TransactionSource {
  return sources.has(value)
}

/**
 * The share of traces that the sender samples, at least `limits.lowestSampleRate`; 1 if it is not a number in
 * (0, 1].
 */
export function parseSampleRate(value: unknown): number {
  const rate = typeof value === 'string' ? Number(value) : value
  return typeof rate === 'number' && rate > 0 && rate <= 1 ? Math.max(limits.lowestSampleRate, rate) : 1
}

/** Attributes that are fields of a span or of its segment. */
const fieldAttributes: ReadonlySet<string> = new Set(['sentry.op', 'sentry.sample_rate', 'sentry.source'])

/** Collects the attributes of one span, up to a maximum number. The first value of a name counts. */
export class AttributeReader {
  readonly values: Record<string, SpanAttribute> = {}
  private count = 0
  private readonly maxCount: number

  constructor(maxCount: number = limits.spanAttributes) {
    this.maxCount = maxCount
  }

  /**
   * Adds an attribute under its current name. Leaves out null, empty texts and numbers that JSON cannot
   * represent. Lists and objects are converted to JSON.
   */
  add(name: string, value: Json | undefined): void {
    addUnderCurrentName<Json | undefined>([name, value], this.addNamed)
  }

  private readonly addNamed = (sentName: string, value: Json | undefined): void => {
    if (this.count >= this.maxCount || sentName === '') return
    const name = cleanText(sentName, limits.spanAttributeNameCharacters)
    // Assigning to this name would not create a property.
    if (name === '__proto__' || fieldAttributes.has(name) || Object.hasOwn(this.values, name)) return
    const attribute = toAttribute(value)
    if (attribute === undefined) return
    this.values[name] = attribute
    this.count += 1
  }

  addAll(source: JsonObject): void {
    // for…in, because Object.entries would build all pairs of a hostile object before the first one is read.
    for (const name in source) {
      if (this.count >= this.maxCount) return
      if (Object.hasOwn(source, name)) this.add(name, source[name])
    }
  }
}

function toAttribute(value: Json | undefined): SpanAttribute | undefined {
  if (typeof value === 'string') return parseText(value, limits.spanAttributeCharacters)
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value === 'boolean') return value
  if (value === null || value === undefined) return undefined
  return cutText(
    cleanText(JSON.stringify(value), limits.spanAttributeCharacters),
    limits.spanAttributeCharacters,
  )
}

/** The object itself, or an empty one for any other value. */
export function toObject(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {}
}
