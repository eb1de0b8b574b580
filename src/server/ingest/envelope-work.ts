import type { Envelope } from '#protocol/envelope.ts'
import { WorkBuilder, type EnvelopeWork, type WorkContext, type WorkMark } from './work-builder.ts'

/**
 * Turns an envelope into what the store shall commit, so that every item has exactly one end: an event, an
 * attachment, a count of outcomes, or a dead letter. Never throws. At most one event is taken per envelope
 * (Relay's rule: an envelope has one event id); only a list of security reports makes several.
 */
export function toEnvelopeWork(envelope: Envelope, context: WorkContext): EnvelopeWork {
  const task = new EnvelopeTask(envelope, context)
  task.run(() => true)
  return task.finish()
}

/**
 * `toEnvelopeWork` in steps, one for each item: between two of them it can pause, and within one it can be
 * terminated.
 */
export class EnvelopeTask {
  /** True when nothing is left but `finish`. */
  isDone = false
  private builder: WorkBuilder
  private mark: WorkMark
  /** The item of the current step; after the last one the attachments are settled. */
  private index = 0
  private readonly envelope: Envelope
  private readonly context: WorkContext

  constructor(envelope: Envelope, context: WorkContext) {
    this.envelope = envelope
    this.context = context
    this.builder = new WorkBuilder(envelope, context)
    this.mark = this.builder.mark()
  }

  /** Bytes of all items. */
  get byteCount(): number {
    return this.envelope.items.reduce((sum, { payload }) => sum + payload.byteLength, 0)
  }

  /** Takes steps while there is time, at least one. */
  run(hasTime: () => boolean): void {
    const { items } = this.envelope
    do {
      this.mark = this.builder.mark()
      const item = items[this.index]
      if (item === undefined) {
        this.builder.settleAttachments()
        this.isDone = true
        return
      }
      this.builder.add(item)
      this.index += 1
    } while (hasTime())
  }

  /** Starts over: a step was terminated, but not because it took much work. */
  restart(): void {
    this.builder = new WorkBuilder(this.envelope, this.context)
    this.index = 0
  }

  /**
   * Gives up the step that was terminated: its item becomes a dead letter, and those behind it are counted as
   * lost without a look at them. Files that were to be settled are lost.
   */
  giveUp(cause: Error): void {
    this.builder.rollBack(this.mark)
    const [item, ...rest] = this.envelope.items.slice(this.index)
    if (item !== undefined) this.builder.fail(item, cause)
    for (const next of rest) this.builder.loseAfterFailure(next)
    if (item === undefined) this.builder.loseAttachments()
    else this.builder.settleAttachments()
    this.isDone = true
  }

  finish(): EnvelopeWork {
    return this.builder.finish()
  }
}
