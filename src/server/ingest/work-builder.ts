import { itemCategory } from '#protocol/data-category.ts'
import type { Envelope, EnvelopeItem } from '#protocol/envelope.ts'
import { parseEventId } from '#protocol/event-id.ts'
import { itemQuantity } from '#protocol/item-quantity.ts'
import { isJsonObject, type JsonObject } from '#protocol/json.ts'
import { parsePayloadJson } from '#protocol/payload-json.ts'
import { limits } from '#server/limits.ts'
import type { CommitWork, FilterSample, OutcomeCount } from '#server/store/events/record.ts'
import { toSentAttachment } from './items/attachment.ts'
import { toDiscardCounts } from './items/client-report.ts'
import type { SentAttachment } from './items/compress-attachments.ts'
import { toDeadLetter } from './items/dead-letter.ts'
import { toEventEnd, type ParsedEvent, type Reception } from './items/event.ts'
import { toFilteredCount, type FilteredItem } from './items/filtered.ts'
import { nextEventId, readReports } from './items/security-report.ts'
import { toAggregatesEnd, toSessionEnd, type SessionEnd } from './items/session.ts'
import { listFilteredSegments } from './items/span.ts'
import { findFilteredTransaction } from './items/transaction.ts'
import { parseUserReport } from './items/user-report.ts'
import { ReadingBudget } from './reading-budget.ts'

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
  /**
   * The event is over `limits.eventBytes`: it is counted, and its sender must not be told that it was stored.
   */
  isEventTooLarge: boolean
  /** Files to be made ready and committed with the work. */
  attachments: SentAttachment[]
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

/** How much a work held before a step. */
export type WorkMark = Record<'events' | 'outcomes' | 'deadLetters' | 'samples' | 'sessions', number>

/**
 * Collects what an envelope brings, item by item. Every item has exactly one end: an event, an attachment, a
 * count of outcomes, or a dead letter.
 */
export class WorkBuilder {
  private readonly work: CommitWork & { samples: FilterSample[] } = {
    events: [],
    outcomes: [],
    deadLetters: [],
    samples: [],
  }
  private eventId: string | undefined
  private isEventTooLarge = false
  private hasEvent = false
  private sessionItemCount = 0
  private userReportCount = 0
  private readonly budget = new ReadingBudget()
  /** What filters dropped as the envelope's event or transaction: its attachments go with it. */
  private filtered: FilteredItem | undefined
  /** Why the envelope's event or transaction is not kept, if it is not: its attachments go with it too. */
  private lostFor: string | undefined
  private readonly failedItems = new Set<EnvelopeItem>()
  private readonly attachmentItems: EnvelopeItem[] = []
  private readonly attachments: SentAttachment[] = []
  private readonly envelope: Envelope
  private readonly context: WorkContext

  constructor(envelope: Envelope, context: WorkContext) {
    this.envelope = envelope
    this.context = context
  }

  add(item: EnvelopeItem): void {
    this.guard(item, () => this.addItem(item))
  }

  mark(): WorkMark {
    const { events, outcomes, deadLetters, samples, sessions = [] } = this.work
    return {
      events: events.length,
      outcomes: outcomes.length,
      deadLetters: deadLetters.length,
      samples: samples.length,
      sessions: sessions.length,
    }
  }

  /** Takes out what was added since. */
  rollBack(mark: WorkMark): void {
    const { events, outcomes, deadLetters, samples, sessions } = this.work
    events.length = mark.events
    outcomes.length = mark.outcomes
    deadLetters.length = mark.deadLetters
    samples.length = mark.samples
    if (sessions !== undefined) sessions.length = mark.sessions
  }

  finish(): EnvelopeWork {
    const { work, eventId, isEventTooLarge, attachments } = this
    return { work, isEventTooLarge, attachments, ...(eventId !== undefined && { eventId }) }
  }

  /** Runs one step of an item; where our own code fails, the item is kept as a dead letter. */
  private guard(item: EnvelopeItem, step: () => void): void {
    try {
      step()
    } catch (thrown) {
      this.fail(item, thrown)
    }
  }

  /** Keeps an item as a dead letter. */
  fail(item: EnvelopeItem, thrown: unknown): void {
    this.context.onFailure(item.type, thrown)
    // One letter for an item, though it may fail in several of the events it makes.
    if (this.failedItems.has(item)) return
    this.failedItems.add(item)
    const { eventId = this.eventId, sentAt } = this.envelope.header
    const sent = { ...(eventId !== undefined && { eventId }), ...(sentAt !== undefined && { sentAt }) }
    this.work.deadLetters.push(toDeadLetter(item, { thrown, sent, reception: this.context }))
    this.lose(item, 'internal')
  }

  /** Counts an item that stands behind one which took too long. */
  loseAfterFailure(item: EnvelopeItem): void {
    // A report is no item of its own.
    if (item.type !== 'client_report') this.lose(item, 'internal', itemQuantity(item))
  }

  /** Counts the envelope's files as lost. */
  loseAttachments(): void {
    this.attachments.length = 0
    this.count('attachment', 'internal', this.attachmentItems.length)
  }

  private addItem(item: EnvelopeItem): void {
    if (!this.budget.allows(item)) {
      this.loseUnread(item)
      return
    }
    switch (item.type) {
      case 'event':
      case 'security':
      case 'feedback':
      case 'user_report_v2':
        this.addEvent(item)
        break
      case 'raw_security':
        this.addSecurityReports(item)
        break
      case 'user_report':
        this.addUserReport(item)
        break
      case 'client_report':
        this.work.outcomes.push(...toDiscardCounts(item.payload, this.context))
        break
      case 'transaction':
        this.addTransaction(item)
        break
      case 'span':
        this.addSpans(item)
        break
      case 'session':
        this.addSessions(item, toSessionEnd)
        break
      case 'sessions':
        this.addSessions(item, toAggregatesEnd)
        break
      case 'attachment':
        this.attachmentItems.push(item)
        break
      default:
        this.addOther(item)
    }
  }

  /** An item that nobody looks into, because it or its envelope is too large. */
  private loseUnread(item: EnvelopeItem): void {
    // A report is no item of its own.
    if (item.type === 'client_report') return
    const isEvent = eventMakers.has(item.type) && item.type !== 'transaction'
    if (isEvent && this.hasEvent) this.lose(item, 'duplicate_item')
    else if (isEvent) this.refuseLargeItem(item)
    else if (item.type === 'transaction' || item.type === 'span') this.addOther(item)
    else this.lose(item, 'too_large', itemQuantity(item))
  }

  private addSessions(item: EnvelopeItem, toEnd: typeof toSessionEnd): void {
    this.sessionItemCount += 1
    const { context: reception } = this
    const { sentAt } = this.envelope.header
    const end: SessionEnd =
      this.sessionItemCount > limits.sessionsPerEnvelope
        ? { kind: 'invalid', reason: 'too_large' }
        : toEnd(item, { reception, ...(sentAt !== undefined && { sentAt }) })
    const quantity = itemQuantity(item)
    switch (end.kind) {
      case 'counted':
        this.work.sessions ??= []
        this.work.sessions.push({
          projectId: reception.projectId,
          receivedAt: reception.receivedAt,
          quantity,
          reports: end.reports,
        })
        break
      case 'filtered':
        this.countAs({ category: 'session', outcome: 'filtered', reason: end.reason, quantity })
        break
      case 'invalid':
        this.count('session', end.reason, quantity)
        break
    }
  }

  private addTransaction(item: EnvelopeItem): void {
    const filtered = findFilteredTransaction(item.payload, this.context)
    if (filtered === undefined) {
      this.addOther(item)
      return
    }
    const { eventId } = this.envelope.header
    this.eventId ??= eventId ?? this.context.createEventId()
    this.filtered ??= filtered
    this.addFiltered({
      ...filtered,
      sample: { ...filtered.sample, ...(eventId !== undefined && { eventId }) },
    })
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
  settleAttachments(): void {
    const quantity = this.attachmentItems.length
    const eventId = this.envelope.header.eventId ?? this.eventId
    if (quantity === 0) return
    if (this.filtered !== undefined) {
      const { reason } = this.filtered
      this.work.outcomes.push(toFilteredCount({ reason, category: 'attachment', quantity }, this.context))
    } else if (this.lostFor !== undefined && !this.hasEvent) this.count('attachment', this.lostFor, quantity)
    else if (eventId === undefined) this.count('attachment', 'no_event_payload', quantity)
    else for (const item of this.attachmentItems) this.guard(item, () => this.addAttachment(item, eventId))
  }

  private addAttachment(item: EnvelopeItem, eventId: string): void {
    const isFull = this.attachments.length === limits.attachmentsPerEvent
    if (isFull || item.payload.byteLength > limits.attachmentBytes) this.count('attachment', 'too_large')
    else this.attachments.push(toSentAttachment(item, eventId, this.context))
  }

  /** An item of a kind that is not kept: taken, so that its SDK is content, and counted. */
  private addOther(item: EnvelopeItem): void {
    if (eventMakers.has(item.type))
      this.eventId ??= this.envelope.header.eventId ?? this.context.createEventId()
    const isKnown = itemCategory(item.type) !== 'unknown'
    this.lose(item, isKnown ? 'feature_disabled' : 'unknown_item', itemQuantity(item))
  }

  /** An item that is not kept, counted under why. */
  private lose(item: EnvelopeItem, reason: string, quantity = 1): void {
    if (quantity === 0) return
    if (eventMakers.has(item.type)) this.lostFor ??= reason
    this.count(itemCategory(item.type), reason, quantity)
  }

  private addEvent(item: EnvelopeItem): void {
    if (this.hasEvent) {
      this.lose(item, 'duplicate_item')
      return
    }
    const json = this.context.memory?.frames.parsePayload(item.payload) ?? parsePayloadJson(item.payload)
    const value = json.ok ? json.value : undefined
    const eventId = this.envelope.header.eventId ?? payloadEventId(value) ?? this.context.createEventId()
    this.eventId ??= eventId
    if (!isJsonObject(value)) this.lose(item, 'invalid_json')
    else if (itemCategory(item.type) === 'feedback' && !hasFeedbackText(value)) this.lose(item, 'no_data')
    else this.addParsedEvent({ eventId, value, payload: item.payload })
  }

  private refuseLargeItem(item: EnvelopeItem): void {
    this.isEventTooLarge = true
    this.eventId ??= this.envelope.header.eventId ?? this.context.createEventId()
    this.lose(item, 'too_large')
  }

  /** Reports that browsers sent: one, or a list of them, each of which makes an event. */
  private addSecurityReports(item: EnvelopeItem): void {
    this.eventId ??= this.envelope.header.eventId ?? this.context.createEventId()
    const { events, lost } = readReports(item, this.context)
    for (const { reason, quantity } of lost) this.lose(item, reason, quantity)
    if (this.hasEvent) {
      this.lose(item, 'duplicate_item', events.length)
      return
    }
    let eventId = this.eventId
    for (const value of events) {
      const ownId = eventId
      this.guard(item, () => this.addMadeEvent(ownId, value))
      eventId = nextEventId(eventId)
    }
  }

  /** An event that no SDK wrote: we made it of something else. */
  private addMadeEvent(eventId: string, value: JsonObject): void {
    this.addParsedEvent({ eventId, value, payload: Buffer.from(JSON.stringify(value)) })
  }

  /** What somebody wrote about an event; beside the envelope's own event, if it has one. */
  private addUserReport(item: EnvelopeItem): void {
    this.userReportCount += 1
    if (this.userReportCount > limits.userReportsPerEnvelope) {
      this.lose(item, 'too_large')
      return
    }
    const json = parsePayloadJson(item.payload)
    const report = parseUserReport(json.ok ? json.value : undefined, this.envelope.header.eventId)
    if (!report.ok) this.lose(item, report.reason)
    else {
      const payload = Buffer.from(JSON.stringify(report.value))
      const end = toEventEnd({ eventId: report.eventId, value: report.value, payload }, this.context)
      if (end.kind === 'stored') this.work.events.push(end.record)
      else if (end.kind === 'filtered') this.addFiltered(end.item)
    }
  }

  private addParsedEvent(parsed: ParsedEvent): void {
    const { sentAt } = this.envelope.header
    const end = toEventEnd({ ...parsed, ...(sentAt !== undefined && { sentAt }) }, this.context)
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
        this.lostFor ??= 'feature_disabled'
        this.count('transaction', 'feature_disabled')
        break
    }
  }

  private count(category: string, reason: string, quantity = 1): void {
    this.countAs({ category, outcome: 'invalid', reason, quantity })
  }

  private countAs(count: Omit<OutcomeCount, 'projectId' | 'at'>): void {
    const { projectId, receivedAt } = this.context
    this.work.outcomes.push({ projectId, ...count, at: receivedAt })
  }
}

function payloadEventId(value: unknown): string | undefined {
  return isJsonObject(value) ? parseEventId(value['event_id']) : undefined
}

function hasFeedbackText({ contexts }: JsonObject): boolean {
  const feedback = isJsonObject(contexts) ? contexts['feedback'] : undefined
  const message = isJsonObject(feedback) ? feedback['message'] : undefined
  return typeof message === 'string' && message.trim() !== ''
}
