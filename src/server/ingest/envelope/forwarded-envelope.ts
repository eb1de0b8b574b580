import { setImmediate as nextTick } from 'node:timers/promises'
import { itemCategory } from '#protocol/data-category.ts'
import { formatDsn } from '#protocol/dsn.ts'
import { serializeEnvelope, type Envelope, type EnvelopeItem } from '#protocol/envelope.ts'
import { parseEventId } from '#protocol/event-id.ts'
import { itemQuantity } from '#protocol/item-quantity.ts'
import { isJsonObject } from '#protocol/json.ts'
import { parsePayloadJson } from '#protocol/payload-json.ts'
import type { Reception } from '#server/ingest/items/reception.ts'
import { limits } from '#server/limits.ts'
import type { OutboxEntry } from '#server/store/ingest/records.ts'
import type { Upstream, UpstreamKinds } from '#server/store/upstreams/upstreams.ts'
import type { EnvelopeWork } from './envelope-state.ts'
import { toSpanContainers } from './span-containers.ts'

/** The element of the header `Via` that Culvert adds (RFC 9110 §7.6.3). */
const forwardedBy = '1.1 culvert'

/** An envelope to forward, with its metadata. */
export interface ForwardedEnvelope {
  envelope: Envelope
  /**
   * The bytes as received; absent when an endpoint built the envelope from another format, or when a limit
   * removed items.
   */
  bytes?: Uint8Array | undefined
  /** The id of its event in Culvert; absent if it creates no event. */
  eventId?: string | undefined
  /** The trace of its spans, if they were split from others. */
  traceId?: string | undefined
}

type Origin = Pick<Reception, 'projectId' | 'receivedAt' | 'clientAddress' | 'userAgent'>

/** Categories that are forwarded with errors, if only errors are forwarded. */
const errorCategories: ReadonlySet<string> = new Set([
  'error',
  'default',
  'security',
  'feedback',
  'attachment',
])

/**
 * Creates a copy for each upstream that receives at least one item of the envelope.
 *
 * Sentry accepts one item with spans per envelope, with its trace in the header. An OpenTelemetry request
 * creates thousands of envelopes, in slices of `limits.workSliceMs`.
 */
export async function toOutboxEntries(
  upstreams: readonly Upstream[],
  forwarded: ForwardedEnvelope,
  origin: Origin,
): Promise<OutboxEntry[]> {
  const { envelope, bytes, eventId } = forwarded
  const { header, items } = envelope
  if (bytes !== undefined || items.some(({ type }) => type !== 'span'))
    return toEntriesOf(upstreams, forwarded, origin)
  const entries: OutboxEntry[] = []
  let sliceStartedAt = performance.now()
  for (const sent of items) {
    for (const { item, traceId } of toSpanContainers(sent))
      entries.push(
        ...toEntriesOf(upstreams, { eventId, traceId, envelope: { header, items: [item] } }, origin),
      )
    if (performance.now() - sliceStartedAt < limits.workSliceMs) continue
    await nextTick()
    sliceStartedAt = performance.now()
  }
  return entries
}

function toEntriesOf(
  upstreams: readonly Upstream[],
  forwarded: ForwardedEnvelope,
  { projectId, receivedAt, clientAddress, userAgent }: Origin,
): OutboxEntry[] {
  return upstreams.flatMap((upstream) => {
    if (upstream.isRetired) return []
    const items = itemsFor(upstream.kinds, forwarded.envelope.items)
    const [first] = items
    if (first === undefined) return []
    return {
      projectId,
      upstreamId: upstream.upstreamId,
      category: itemCategory((items.find(isMainItem) ?? first).type),
      receivedAt,
      clientAddress,
      userAgent,
      body: toBody(upstream, forwarded, items),
    }
  })
}

function itemsFor(kinds: UpstreamKinds, items: EnvelopeItem[]): EnvelopeItem[] {
  if (kinds === 'all') return items
  const kept = items.filter(({ type }) => errorCategories.has(itemCategory(type)))
  // Attachments of a transaction are useless without it.
  const isOnlyFiles = items.length > kept.length && kept.every(({ type }) => type === 'attachment')
  return isOnlyFiles ? [] : kept
}

/** A main item of an envelope; attachments and client reports accompany any other item. */
function isMainItem({ type }: EnvelopeItem): boolean {
  return type !== 'attachment' && type !== 'client_report'
}

/**
 * Returns the bytes as received, unless the upstream would reject them or could not deduplicate a resent
 * event: the headers are rewritten if the envelope's header has the DSN of another project, or if neither the
 * header nor the payload has an event id. Payloads are unchanged in either case.
 */
function toBody(
  upstream: Upstream,
  { envelope, bytes, eventId, traceId }: ForwardedEnvelope,
  items: EnvelopeItem[],
): Uint8Array {
  const { header } = envelope
  const upstreamDsn = formatDsn(upstream.dsn)
  const namesAnother = header.dsn !== undefined && header.dsn !== upstreamDsn
  const lacksId =
    eventId !== undefined && header.raw['event_id'] === undefined && findPayloadId(items) === undefined
  const isWhole = items.length === envelope.items.length
  if (bytes !== undefined && isWhole && !namesAnother && !lacksId) return bytes
  const id = header.eventId ?? (lacksId ? eventId : undefined)
  return serializeEnvelope(
    {
      ...(traceId !== undefined && { trace: { trace_id: traceId, public_key: upstream.dsn.publicKey } }),
      ...header.raw,
      ...(id !== undefined && { event_id: id }),
      ...(namesAnother && { dsn: upstreamDsn }),
    },
    items,
  )
}

function findPayloadId(items: readonly EnvelopeItem[]): string | undefined {
  const item = items.find(isMainItem)
  if (item === undefined || item.payload.byteLength > limits.eventBytes) return undefined
  const json = parsePayloadJson(item.payload)
  return json.ok && isJsonObject(json.value) ? parseEventId(json.value['event_id']) : undefined
}

/** Types of items that are events: one of them determines the id in the answer. */
const eventTypes: ReadonlySet<string> = new Set(['event', 'transaction', 'feedback'])

/**
 * The entry of an envelope that is only forwarded: an outcome for each forwarded item, and one for each
 * dropped item. An event without an id gets one, like a stored event, so that the client and the upstream see
 * the same id.
 */
export function toForwardOnlyWork(
  envelope: Envelope,
  upstreams: readonly Upstream[],
  { projectId, receivedAt: at, createEventId }: Origin & { createEventId: () => string },
): EnvelopeWork {
  const sent = new Set(
    upstreams.flatMap(({ kinds, isRetired }) => (isRetired ? [] : itemsFor(kinds, envelope.items))),
  )
  const outcomes = envelope.items.map((item) => ({
    projectId,
    category: itemCategory(item.type),
    ...(sent.has(item)
      ? { outcome: 'accepted' as const, reason: 'forwarded' }
      : { outcome: 'invalid' as const, reason: 'feature_disabled' }),
    quantity: itemQuantity(item),
    at,
  }))
  const hasEvent = envelope.items.some(({ type }) => eventTypes.has(type))
  const eventId =
    envelope.header.eventId ?? findPayloadId(envelope.items) ?? (hasEvent ? createEventId() : undefined)
  const work = { events: [], outcomes, deadLetters: [] }
  return { work, isEventTooLarge: false, attachments: [], eventId }
}

/**
 * True if a Culvert instance has already forwarded the request: forwarding it again could create a loop. Not
 * for a proxy that only has this word in the name of its host, such as `1.1 culvert.example.com`.
 */
export function wasForwarded(header: (name: string) => string | undefined): boolean {
  return (header('via') ?? '').split(',').some((hop) => hop.trim() === forwardedBy)
}
