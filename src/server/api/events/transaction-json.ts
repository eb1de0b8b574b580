import * as v from 'valibot'
import { anyRecord, anyText, releaseNameAnswer, textOrNull } from '#server/api/answer-schema.ts'
import type { StoredSegment } from '#server/store/traces/records.ts'
import { endOf, findAttribute, type Span } from '#traces/span.ts'
import { eventAnswer, eventHeadAnswer } from './answer.ts'

const spanOfTransaction = v.strictObject({
  span_id: anyText,
  parent_span_id: textOrNull,
  trace_id: anyText,
  op: anyText,
  description: anyText,
  status: anyText,
  start_timestamp: v.number(),
  timestamp: v.number(),
  data: anyRecord,
})

/** A transaction as an event: without an issue, with its spans. */
export const transactionEventAnswer = v.strictObject({
  ...eventHeadAnswer.entries,
  groupID: v.null(),
  projectSlug: anyText,
  metadata: v.strictObject({ title: anyText, location: anyText }),
  entries: v.array(v.strictObject({ type: v.literal('spans'), data: v.array(spanOfTransaction) })),
  contexts: anyRecord,
  context: anyRecord,
  packages: v.record(v.string(), v.string()),
  measurements: v.nullable(v.record(v.string(), v.strictObject({ value: v.number() }))),
  sdk: v.nullable(v.strictObject({ name: anyText, version: textOrNull })),
  dist: v.null(),
  release: v.nullable(releaseNameAnswer),
  fingerprints: v.array(anyText),
  errors: v.array(v.never()),
  startTimestamp: v.number(),
  endTimestamp: v.number(),
  nextEventID: v.null(),
  previousEventID: v.null(),
})

/** The location of an event; a transaction has no issue. */
export const eventLocationAnswer = v.strictObject({
  organizationSlug: anyText,
  projectSlug: anyText,
  groupId: textOrNull,
  eventId: anyText,
  event: v.union([eventAnswer, transactionEventAnswer]),
})

/** Converts a transaction to the event of Sentry's API. */
export function toTransactionEventJson(
  { project, receivedAt, segment }: StoredSegment,
  eventId: string,
): v.InferOutput<typeof transactionEventAnswer> {
  const { spans, transaction, environment, release, platform } = segment
  const [root, ...children] = spans
  const tags = { environment, release, transaction }
  return {
    id: eventId,
    eventID: eventId,
    groupID: null,
    projectID: String(project.id),
    projectSlug: project.slug,
    title: transaction,
    message: '',
    culprit: transaction,
    location: transaction,
    platform,
    type: 'transaction',
    'event.type': 'transaction',
    metadata: { title: transaction, location: transaction },
    dateCreated: new Date(root.startedAt).toISOString(),
    dateReceived: new Date(receivedAt).toISOString(),
    tags: Object.entries(tags).flatMap(([key, value]) => (value ? [{ key, value }] : [])),
    user: toUser(root),
    entries: [{ type: 'spans', data: children.map(toSpanJson) }],
    contexts: { trace: toTraceContext(root) },
    context: {},
    packages: {},
    measurements: toMeasurements(root),
    sdk: toSdk(root),
    dist: null,
    release: release === undefined ? null : { version: release, shortVersion: release },
    fingerprints: [],
    errors: [],
    startTimestamp: root.startedAt / 1000,
    endTimestamp: endOf(root) / 1000,
    nextEventID: null,
    previousEventID: null,
    crashFile: null,
  }
}

function toSpanJson(span: Span): v.InferOutput<typeof spanOfTransaction> {
  return {
    span_id: span.spanId,
    parent_span_id: span.parentSpanId ?? null,
    trace_id: span.traceId,
    op: span.op,
    description: span.description ?? span.name,
    status: span.statusText,
    start_timestamp: span.startedAt / 1000,
    timestamp: endOf(span) / 1000,
    data: span.attributes,
  }
}

function toTraceContext({ traceId, spanId, parentSpanId, op, statusText, attributes }: Span) {
  return {
    type: 'trace',
    trace_id: traceId,
    span_id: spanId,
    parent_span_id: parentSpanId ?? null,
    op,
    status: statusText,
    data: attributes,
  }
}

function toUser(root: Span) {
  const id = findAttribute(root, 'user.id')
  if (id === undefined) return null
  return { id: String(id), email: null, username: null, name: null, ip_address: null, data: {} }
}

function toSdk(root: Span) {
  const name = findAttribute(root, 'sentry.sdk.name')
  const version = findAttribute(root, 'sentry.sdk.version')
  return name === undefined
    ? null
    : { name: String(name), version: version === undefined ? null : String(version) }
}

const measurementName = /^(?:browser\.web_vital\.(\w+)\.value|measurement\.(.+))$/

/** Under the names that SDKs send them by. */
function toMeasurements({ attributes }: Span) {
  const measurements = Object.entries(attributes).flatMap(([name, value]) => {
    const [, vital, other] = measurementName.exec(name) ?? []
    const sentName = vital ?? other
    return sentName === undefined || typeof value !== 'number' ? [] : [[sentName, { value }] as const]
  })
  return measurements.length === 0 ? null : Object.fromEntries(measurements)
}
