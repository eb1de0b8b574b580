import type { Envelope } from '#protocol/envelope.ts'
import { addAttachments, loseAttachments } from './add-attachments.ts'
import { addItem, loseAfterFailure } from './add-item.ts'
import { EnvelopeState, type EnvelopeWork, type WorkContext, type WorkMark } from './envelope-state.ts'

/**
 * Turns an envelope into the work to commit. Every item has exactly one end: an event, an attachment, a count
 * of outcomes, or a dead letter. Never throws. An envelope creates at most one event (Relay's rule: it has
 * one event id), except for a list of security reports.
 */
export function toEnvelopeWork(envelope: Envelope, context: WorkContext): EnvelopeWork {
  const task = new EnvelopeTask(envelope, context)
  task.run(() => true)
  return task.finish()
}

/** `toEnvelopeWork` in steps of one item. It can pause between steps, and be terminated within one. */
export class EnvelopeTask {
  /** True when only `finish` is left. */
  isDone = false
  private state: EnvelopeState
  private mark: WorkMark
  /** The item of the current step; the step after the last item adds the attachments. */
  private index = 0
  private readonly envelope: Envelope
  private readonly context: WorkContext

  constructor(envelope: Envelope, context: WorkContext) {
    this.envelope = envelope
    this.context = context
    this.state = new EnvelopeState(envelope, context)
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
      this.mark = this.state.mark()
      const item = items[this.index]
      if (item === undefined) {
        addAttachments(this.state)
        this.isDone = true
        return
      }
      addItem(this.state, item)
      this.index += 1
    } while (hasTime())
  }

  /** Starts over after a step was terminated although it had used little CPU. */
  restart(): void {
    this.state = new EnvelopeState(this.envelope, this.context)
    this.index = 0
  }

  /**
   * Gives up the step that was terminated: its item becomes a dead letter, and the items after it are counted
   * as lost without being read. If the step added attachments, these are lost.
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
