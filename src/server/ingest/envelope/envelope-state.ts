import { itemCategory } from '#protocol/data-category.ts'
import type { Envelope, EnvelopeItem } from '#protocol/envelope.ts'
import { itemQuantity } from '#protocol/item-quantity.ts'
import type { FilterReason } from '#server/filter/filter-reason.ts'
import type { SentAttachment } from '#server/ingest/items/compress-attachments.ts'
import { toDeadLetter } from '#server/ingest/items/dead-letter.ts'
import { toFilteredCount, type FilteredItem } from '#server/ingest/items/filtered.ts'
import type { Reception } from '#server/ingest/items/reception.ts'
import { ReadingBudget } from '#server/ingest/reading-budget.ts'
import type { CommitEntry, FilterSample, OutcomeCount } from '#server/store/ingest/records.ts'

/** The dependencies of processing. */
export interface WorkContext extends Reception {
  /** 32 random lower-case hex digits. */
  createEventId: () => string
  /** Called when Culvert's own code throws on an item; the item becomes a dead letter. */
  onFailure: (itemType: string, thrown: unknown) => void
}

/** The contents of an envelope, and the event id in the answer to its sender. */
export interface EnvelopeWork {
  work: CommitEntry
  /** Absent if no item creates an event. */
  eventId?: string
  /** The event exceeds `limits.eventBytes`: it is counted, and the answer must not be 200. */
  isEventTooLarge: boolean
  /** Files to compress and commit with the entry. */
  attachments: SentAttachment[]
}

/** Item types whose sender expects an event id (Relay's `Item::creates_event`). */
export const eventItemTypes: ReadonlySet<string> = new Set([
  'event',
  'transaction',
  'security',
  'raw_security',
  'unreal_report',
  'feedback',
  'user_report_v2',
])

const markedLists = [
  'events',
  'outcomes',
  'deadLetters',
  'samples',
  'sessions',
  'checkIns',
  'traces',
  'figures',
] as const

/** Lengths of the lists of an entry before a step. */
export type WorkMark = Record<(typeof markedLists)[number], number>

/** The commit entry of an envelope so far, and the state that later items need from earlier ones. */
export class EnvelopeState {
  readonly envelope: Envelope
  readonly context: WorkContext
  readonly work: CommitEntry & { samples: FilterSample[] } = {
    events: [],
    outcomes: [],
    deadLetters: [],
    samples: [],
  }
  eventId: string | undefined
  isEventTooLarge = false
  hasEvent = false
  sessionItemCount = 0
  userReportCount = 0
  /** The event or transaction that a filter dropped. Its attachments are dropped, too. */
  filtered: FilteredItem | undefined
  /** Root spans that filters dropped, by the ids of their spans. */
  readonly filteredSegments = new Map<string, FilterReason>()
  /** The reason why the event or transaction is not stored. Its attachments are not stored, either. */
  lostFor: string | undefined
  readonly budget: ReadingBudget
  readonly attachmentItems: EnvelopeItem[] = []
  readonly attachments: SentAttachment[] = []
  /** With the index of each item's dead letter. */
  private readonly failedItems = new Map<EnvelopeItem, number>()

  constructor(envelope: Envelope, context: WorkContext) {
    this.envelope = envelope
    this.context = context
    this.budget = new ReadingBudget(context.spanBytes)
  }

  /** The id of the envelope's event, created if the envelope has none. */
  requireEventId(): string {
    this.eventId ??= this.envelope.header.eventId ?? this.context.createEventId()
    return this.eventId
  }

  mark(): WorkMark {
    const { events, outcomes, deadLetters, samples, sessions, checkIns, traces, figures } = this.work
    return {
      events: events.length,
      outcomes: outcomes.length,
      deadLetters: deadLetters.length,
      samples: samples.length,
      sessions: sessions?.length ?? 0,
      checkIns: checkIns?.length ?? 0,
      traces: traces?.length ?? 0,
      figures: figures?.length ?? 0,
    }
  }

  /** Removes everything added since the mark. */
  rollBack(mark: WorkMark): void {
    for (const name of markedLists) {
      const list = this.work[name]
      if (list !== undefined) list.length = mark[name]
    }
    for (const [item, letterAt] of this.failedItems)
      if (letterAt >= mark.deadLetters) this.failedItems.delete(item)
  }

  finish(): EnvelopeWork {
    const { work, eventId, isEventTooLarge, attachments } = this
    return { work, isEventTooLarge, attachments, eventId }
  }

  /**
   * Runs one step of an item. If Culvert's own code throws, the item becomes a dead letter, and everything it
   * has added since the mark is removed: a retry of the dead letter would store it twice.
   */
  guard(item: EnvelopeItem, step: () => void, before = this.mark()): void {
    try {
      step()
    } catch (thrown) {
      this.rollBack(before)
      this.fail(item, thrown)
    }
  }

  /** Makes an item a dead letter: only one, even if several of its events fail. */
  fail(item: EnvelopeItem, thrown: unknown): void {
    this.context.onFailure(item.type, thrown)
    if (this.failedItems.has(item)) return
    this.failedItems.set(item, this.work.deadLetters.length)
    const { eventId = this.eventId, sentAt } = this.envelope.header
    const sent = { eventId, sentAt }
    this.work.deadLetters.push(toDeadLetter(item, { thrown, sent, reception: this.context }))
    this.lose(item, 'internal', itemQuantity(item))
  }

  /** Counts an item that is not stored. */
  lose(item: EnvelopeItem, reason: string, quantity = 1): void {
    if (quantity === 0) return
    if (eventItemTypes.has(item.type)) this.lostFor ??= reason
    this.countInvalid(itemCategory(item.type), reason, quantity)
  }

  /** Counts an item of a type that is not stored. The answer is 200, as SDKs expect. */
  loseUnsupported(item: EnvelopeItem): void {
    if (eventItemTypes.has(item.type)) this.requireEventId()
    const isKnown = itemCategory(item.type) !== 'unknown'
    this.lose(item, isKnown ? 'feature_disabled' : 'unknown_item', itemQuantity(item))
  }

  addFiltered(item: FilteredItem): void {
    this.work.outcomes.push(toFilteredCount(item, this.context))
    this.work.samples.push(item.sample)
  }

  countInvalid(category: string, reason: string, quantity = 1): void {
    this.count({ category, outcome: 'invalid', reason, quantity })
  }

  count(count: Omit<OutcomeCount, 'projectId' | 'at'>): void {
    const { projectId, receivedAt } = this.context
    this.work.outcomes.push({ projectId, ...count, at: receivedAt })
  }
}
