import type { Envelope, EnvelopeItem } from '#protocol/envelope.ts'
import { itemQuantity } from '#protocol/item-quantity.ts'
import { toDiscardCounts } from '#server/ingest/items/client-report.ts'
import type { SliceTask } from '#server/ingest/slice-task.ts'
import { addAttachments, loseAttachments } from './add-attachments.ts'
import { addCheckIn } from './add-check-in.ts'
import { addEvent, addSecurityReports, addUserReport, rejectLargeEvent } from './add-event.ts'
import { addSessions } from './add-sessions.ts'
import { addSpans, addTransaction, storesTraces } from './add-traces.ts'
import {
  EnvelopeState,
  eventItemTypes,
  type EnvelopeWork,
  type WorkContext,
  type WorkMark,
} from './envelope-state.ts'

/**
 * Converts an envelope to its commit entry. Every item has exactly one result: an event, an attachment, a
 * count of outcomes, or a dead letter. Never throws. An envelope creates at most one event (Relay's rule: it
 * has one event id), except for a list of security reports.
 */
export function toEnvelopeWork(envelope: Envelope, context: WorkContext): EnvelopeWork {
  const task = new EnvelopeTask(envelope, context)
  task.run(() => true)
  return task.finish()
}

/**
 * `toEnvelopeWork` in steps of one item, or of a part of an item with spans. It can pause between steps, and
 * be terminated within one.
 */
export class EnvelopeTask implements SliceTask<EnvelopeWork> {
  isDone = false
  private state: EnvelopeState
  private mark: WorkMark
  /** The item of the current step; the step after the last item adds the attachments. */
  private index = 0
  /** The remaining steps of that item, once it has begun. */
  private steps: Iterator<undefined> | undefined
  private readonly envelope: Envelope
  private readonly context: WorkContext

  constructor(envelope: Envelope, context: WorkContext) {
    this.envelope = { ...envelope, items: rootSpansFirst(envelope.items) }
    this.context = context
    this.state = new EnvelopeState(this.envelope, context)
    this.mark = this.state.mark()
  }

  /** Bytes of all items. */
  get byteCount(): number {
    return this.envelope.items.reduce((sum, { payload }) => sum + payload.byteLength, 0)
  }

  /** Runs steps while there is time, at least one. */
  run(hasTime: () => boolean): void {
    const { items } = this.envelope
    do {
      const item = items[this.index]
      if (this.steps === undefined) this.mark = this.state.mark()
      if (item === undefined) {
        addAttachments(this.state)
        this.isDone = true
        return
      }
      this.runStep(item)
    } while (hasTime())
  }

  private runStep(item: EnvelopeItem): void {
    let isOver = true
    const step = () => {
      this.steps ??= addItem(this.state, item)
      isOver = this.steps.next().done === true
    }
    this.state.guard(item, step, this.mark)
    if (!isOver) return
    this.steps = undefined
    this.index += 1
  }

  /** Restarts after a step was terminated although it had used little CPU. */
  restart(): void {
    this.state = new EnvelopeState(this.envelope, this.context)
    this.index = 0
    this.steps = undefined
  }

  /**
   * Ends the terminated step: its item becomes a dead letter, and the items after it are counted as lost
   * without being parsed. If the step was adding attachments, these are lost.
   */
  giveUp(cause: Error): void {
    this.state.rollBack(this.mark)
    const [item, ...rest] = this.envelope.items.slice(this.index)
    if (item !== undefined) this.state.fail(item, cause)
    for (const next of rest) loseAfterFailure(this.state, next)
    if (item === undefined) loseAttachments(this.state)
    else addAttachments(this.state)
    this.isDone = true
  }

  finish(): EnvelopeWork {
    return this.state.finish()
  }
}

const rootMarks = ['"is_segment":true', '"is_segment": true']

/**
 * The items, where those with root spans precede other items with spans: all spans of a filtered root span
 * are dropped with it, wherever they are in the envelope.
 */
function rootSpansFirst(items: readonly EnvelopeItem[]): EnvelopeItem[] {
  const spans = items.filter(({ type }) => type === 'span')
  if (spans.length < 2) return [...items]
  const { roots = [], others = [] } = Object.groupBy(spans, ({ payload }) => {
    const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength)
    return rootMarks.some((mark) => bytes.includes(mark)) ? 'roots' : 'others'
  })
  const ordered = [...roots, ...others].values()
  return items.map((item) => (item.type === 'span' ? (ordered.next().value ?? item) : item))
}

/** Adds an item, in one step or with pauses at each `yield`. */
type Adder = (state: EnvelopeState, item: EnvelopeItem) => Generator<undefined> | void

const adders: Readonly<Record<string, Adder>> = {
  event: addEvent,
  security: addEvent,
  feedback: addEvent,
  user_report_v2: addEvent,
  raw_security: addSecurityReports,
  user_report: addUserReport,
  client_report: ({ work, context }, { payload }) => {
    work.outcomes.push(...toDiscardCounts(payload, context))
  },
  transaction: addTransaction,
  span: addSpans,
  session: addSessions,
  sessions: addSessions,
  check_in: addCheckIn,
  // Added after all other items.
  attachment: ({ attachmentItems }, item) => void attachmentItems.push(item),
}

/** Adds an item to the entry of its envelope. If this throws, the item becomes a dead letter. */
function* addItem(state: EnvelopeState, item: EnvelopeItem): Generator<undefined> {
  if (!state.budget.allows(item)) loseUnread(state, item)
  else if (Object.hasOwn(adders, item.type)) yield* adders[item.type]?.(state, item) ?? []
  else state.loseUnsupported(item)
}

/** Counts an item that is not parsed, because it or its envelope is too large. */
function loseUnread(state: EnvelopeState, item: EnvelopeItem): void {
  const { type } = item
  const isEvent = eventItemTypes.has(type) && type !== 'transaction'
  // A client report counts other items and is not counted itself.
  if (type === 'client_report') return
  if (isEvent && state.hasEvent) state.lose(item, 'duplicate_item')
  else if (isEvent) rejectLargeEvent(state, item)
  else if (isTrace(type) && !storesTraces(state)) state.loseUnsupported(item)
  else state.lose(item, 'too_large', itemQuantity(item))
}

function isTrace(type: string): boolean {
  return type === 'transaction' || type === 'span'
}

/** Counts an item that follows one that exceeded its time. */
function loseAfterFailure(state: EnvelopeState, item: EnvelopeItem): void {
  if (item.type !== 'client_report') state.lose(item, 'internal', itemQuantity(item))
}
