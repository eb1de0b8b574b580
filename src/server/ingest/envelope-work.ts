import { itemCategory } from '#protocol/data-category.ts'
import type { Envelope, EnvelopeItem } from '#protocol/envelope.ts'
import { parseEventId } from '#protocol/event-id.ts'
import { itemQuantity } from '#protocol/item-quantity.ts'
import { isJsonObject } from '#protocol/json.ts'
import { parsePayloadJson } from '#protocol/payload-json.ts'
import { errorMessage } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import type { CommitWork, FilterSample } from '#server/store/event-record.ts'
import { toDiscardCounts } from './client-report-item.ts'
import { toEventEnd, type ParsedEvent, type Reception } from './event-item.ts'
import { toFilteredCount, type FilteredItem } from './filtered-item.ts'
import { listFilteredSegments } from './span-item.ts'
import { findFilteredTransaction } from './transaction-item.ts'

/** What processing needs from outside. */
export interface WorkContext extends Reception {
  /** 32 random lower-case hex digits. */
  createEventId: () => string
  /** Told when our own code fails on an item; the item becomes a dead letter. */
  onFailure: (itemType: string, thrown: unknown) => void
}

/** What an envelope brings, and the event id that its sender is answered with. */
export interface EnvelopeWork {
  work: CommitWork
  /** Absent when no item makes an event. */
  eventId?: string
  /** The event is over `limits.eventBytes`: it is counted, and its sender must not be told that it was stored. */
  isEventTooLarge: boolean
}

/** Item types whose sender expects an event id back (Relay's `Item::creates_event`). */
const eventMakers = new Set([
  'event',
  'transaction',
  'security',
  'raw_security',
  'unreal_report',
  'feedback',
  'user_report_v2',
])

/**
 * Turns an envelope into what the store shall commit, so that every item has exactly one end: an event, a count of
 * outcomes, or a dead letter. Never throws. At most one event is taken per envelope (Relay's rule: an envelope has one
 * event id).
 */
export function toEnvelopeWork(envelope: Envelope, context: WorkContext): EnvelopeWork {
  const builder = new WorkBuilder(envelope, context)
  for (const item of envelope.items) builder.add(item)
  return builder.finish()
}

class WorkBuilder {
  private readonly work: CommitWork & { samples: FilterSample[] } = {
    events: [],
    outcomes: [],
    deadLetters: [],
    samples: [],
  }
  private eventId: string | undefined
  private isEventTooLarge = false
  private hasEvent = false
  /** What filters dropped as the envelope's event or transaction: its attachments go with it. */
  private filtered: FilteredItem | undefined
  private attachmentCount = 0
  private readonly envelope: Envelope
  private readonly context: WorkContext

  constructor(envelope: Envelope, context: WorkContext) {
    this.envelope = envelope
    this.context = context
  }

  add(item: EnvelopeItem): void {
    try {
      this.addItem(item)
    } catch (thrown) {
      const { projectId, receivedAt, onFailure } = this.context
      onFailure(item.type, thrown)
      const reason = errorMessage(thrown).slice(0, limits.deadLetterReasonLength)
      this.work.deadLetters.push({
        projectId,
        itemType: item.type,
        reason,
        receivedAt,
        payload: item.payload,
      })
      this.count(itemCategory(item.type), 'internal')
    }
  }

  finish(): EnvelopeWork {
    this.countAttachments()
    const { work, eventId, isEventTooLarge } = this
    return { work, isEventTooLarge, ...(eventId !== undefined && { eventId }) }
  }

  private addItem(item: EnvelopeItem): void {
    if (item.type === 'event') this.addEvent(item)
    else if (item.type === 'client_report')
      this.work.outcomes.push(...toDiscardCounts(item.payload, this.context))
    else if (item.type === 'transaction') this.addTransaction(item)
    else if (item.type === 'span') this.addSpans(item)
    else if (item.type === 'attachment') this.attachmentCount += 1
    else this.addOther(item)
  }

  private addTransaction(item: EnvelopeItem): void {
    const filtered = findFilteredTransaction(item.payload, this.context)
    if (filtered === undefined) {
      this.addOther(item)
      return
    }
    this.eventId ??= this.envelope.header.eventId ?? this.context.createEventId()
    this.filtered ??= filtered
    this.addFiltered(filtered)
  }

  private addSpans(item: EnvelopeItem): void {
    const segments = listFilteredSegments(item.payload, this.context)
    for (const segment of segments) this.addFiltered(segment)
    const filteredCount = segments.reduce((sum, { quantity }) => sum + quantity, 0)
    const otherCount = itemQuantity(item) - filteredCount
    if (otherCount > 0) this.count('span', 'feature_disabled', otherCount)
  }

  private addFiltered(item: FilteredItem): void {
    this.work.outcomes.push(toFilteredCount(item, this.context))
    this.work.samples.push(item.sample)
  }

  /** Last, because attachments may stand before the event they belong to. */
  private countAttachments(): void {
    const quantity = this.attachmentCount
    if (quantity === 0) return
    if (this.filtered === undefined) this.count('attachment', 'feature_disabled', quantity)
    else {
      const { reason } = this.filtered
      this.work.outcomes.push(toFilteredCount({ reason, category: 'attachment', quantity }, this.context))
    }
  }

  /** An item of a kind that is not kept: taken, so that its SDK is content, and counted. */
  private addOther(item: EnvelopeItem): void {
    if (eventMakers.has(item.type))
      this.eventId ??= this.envelope.header.eventId ?? this.context.createEventId()
    const category = itemCategory(item.type)
    this.count(category, category === 'unknown' ? 'unknown_item' : 'feature_disabled', itemQuantity(item))
  }

  private addEvent(item: EnvelopeItem): void {
    const isTooLarge = item.payload.byteLength > limits.eventBytes
    const json = isTooLarge ? undefined : parsePayloadJson(item.payload)
    const value = json?.ok === true ? json.value : undefined
    const eventId = this.envelope.header.eventId ?? payloadEventId(value) ?? this.context.createEventId()
    this.eventId ??= eventId
    if (isTooLarge) {
      this.isEventTooLarge = true
      this.count('error', 'too_large')
    } else if (!isJsonObject(value)) {
      this.count('error', 'invalid_json')
    } else if (this.hasEvent) {
      this.count('error', 'duplicate_item')
    } else {
      this.addParsedEvent({ eventId, value, payload: item.payload })
    }
  }

  private addParsedEvent(parsed: ParsedEvent): void {
    const end = toEventEnd(parsed, this.context)
    switch (end.kind) {
      case 'stored':
        this.hasEvent = true
        this.work.events.push(end.record)
        break
      case 'filtered':
        this.hasEvent = end.item.category !== 'transaction'
        this.filtered ??= end.item
        this.addFiltered(end.item)
        break
      case 'transaction':
        this.count('transaction', 'feature_disabled')
        break
    }
  }

  private count(category: string, reason: string, quantity = 1): void {
    const { projectId, receivedAt } = this.context
    this.work.outcomes.push({ projectId, category, outcome: 'invalid', reason, quantity, at: receivedAt })
  }
}

function payloadEventId(value: unknown): string | undefined {
  return isJsonObject(value) ? parseEventId(value['event_id']) : undefined
}
