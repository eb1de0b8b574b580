import type { Envelope } from '#protocol/envelope.ts'
import { limits } from '#server/limits.ts'
import { runTimed } from '#server/timed-run.ts'
import type { EnvelopeWork, WorkContext } from './envelope/envelope-state.ts'
import { EnvelopeTask } from './envelope/envelope-work.ts'
import type { SliceTask } from './slice-task.ts'

interface WaitingTask {
  task: SliceTask<unknown>
  /** When it arrived, or last ran, by the monotonic clock. */
  since: number
  /** True if it has run in the current slice. */
  hasRun: boolean
  /** How often its step was terminated although it had used little CPU. */
  stallCount: number
  resolve: () => void
  reject: (thrown: unknown) => void
}

/**
 * Processes requests without blocking the event loop for longer than `limits.workMs`, except for an item that
 * was terminated during a stall of the machine (`limits.workStalls`): requests of one tick
 * share slices of `limits.workSliceMs`, an envelope of many items pauses between two of them, and an item
 * that takes longer becomes a dead letter. A request that needs several slices shares them with requests that
 * arrive meanwhile.
 */
export class SliceQueue {
  /** In the order of execution. */
  private readonly waiting: WaitingTask[] = []
  private isScheduled = false
  private readonly workMs: number

  /** `workMs`: maximum milliseconds per item. */
  constructor({ workMs }: { workMs: number } = limits) {
    this.workMs = workMs
  }

  /**
   * Converts an envelope to its commit entry, like `toEnvelopeWork`. `isOverloaded`: more requests arrive
   * than can be processed; in that case small envelopes are not timed.
   */
  process(envelope: Envelope, context: WorkContext, load: { isOverloaded: boolean }): Promise<EnvelopeWork> {
    return this.run(new EnvelopeTask(envelope, context), load)
  }

  /** Runs a task after the queued ones, and returns its result. */
  run<Result>(task: SliceTask<Result>, { isOverloaded }: { isOverloaded: boolean }): Promise<Result> {
    return new Promise((resolveWith, reject) => {
      const resolve = (): void => resolveWith(task.finish())
      this.waiting.push({ task, since: performance.now(), hasRun: false, stallCount: 0, resolve, reject })
      if (this.isScheduled) return
      this.isScheduled = true
      // After the requests that arrived in the same tick, before anything else.
      queueMicrotask(() => this.runSlice(isOverloaded))
    })
  }

  /** Milliseconds for which the next request has waited; 0 without one. */
  oldestWaitMs(): number {
    const [oldest] = this.waiting
    return oldest === undefined ? 0 : performance.now() - oldest.since
  }

  private runSlice(isOverloaded: boolean): void {
    const startedAt = performance.now()
    const hasTime = () => performance.now() - startedAt < limits.workSliceMs
    const cpuBefore = process.threadCpuUsage()
    try {
      const outcome = this.isTimed(isOverloaded)
        ? runTimed(() => this.runTasks(hasTime), this.timeoutMs())
        : this.runTasks(hasTime)
      if (outcome === 'timed_out') this.endStep(cpuMsSince(cpuBefore))
    } catch (thrown) {
      const failed = this.waiting.findIndex(({ task }) => !task.isDone)
      for (const { reject } of this.waiting.splice(failed, failed === -1 ? 0 : 1)) reject(thrown)
    }
    this.settleDone()
    this.isScheduled = this.waiting.length > 0
    if (this.isScheduled) setImmediate(() => this.runSlice(isOverloaded))
  }

  /**
   * Under overload each envelope is a separate slice, because admission measures its time. Timing each would
   * cost a quarter of the throughput, and a flood must not bypass the timing with more than
   * `limits.untimedBytes`.
   */
  private isTimed(isOverloaded: boolean): boolean {
    if (!isOverloaded) return true
    return this.waiting.reduce((sum, { task }) => sum + task.byteCount, 0) > limits.untimedBytes
  }

  /** A step that was terminated during a stall gets twice the time with each retry. */
  private timeoutMs(): number {
    return this.workMs * 2 ** (this.waiting[0]?.stallCount ?? 0)
  }

  /** Changes only the tasks, because it may be terminated anywhere. */
  private runTasks(hasTime: () => boolean): void {
    const [first] = this.waiting
    for (const next of this.waiting) {
      const { task } = next
      // A task with another timeout begins a slice, and has it for itself.
      if (next !== first && (next.stallCount > 0 || (first?.stallCount ?? 0) > 0)) return
      next.hasRun = true
      task.run(hasTime)
      if (!task.isDone || !hasTime()) return
    }
  }

  /** Handles the terminated step, which belongs to the first task that is not done. */
  private endStep(cpuMs: number): void {
    const slow = this.waiting.find(({ task }) => !task.isDone)
    if (slow === undefined) return
    // A suspended or busy machine makes any step slow. In that case the step is not the cause.
    if (cpuMs < this.workMs * limits.workCpuShare && slow.stallCount < limits.workStalls) {
      slow.stallCount += 1
      slow.task.restart()
      return
    }
    slow.task.giveUp(new Error(`it takes longer than ${this.workMs} ms to process`))
  }

  private settleDone(): void {
    for (let [first] = this.waiting; first?.task.isDone === true; [first] = this.waiting) {
      this.waiting.shift()
      first.resolve()
    }
    this.passOver()
  }

  /** Moves a task that needs more than one slice to the end: many small tasks need one slice together. */
  private passOver(): void {
    const [first] = this.waiting
    if (first?.hasRun !== true) return
    this.waiting.shift()
    this.waiting.push(Object.assign(first, { hasRun: false, since: performance.now() }))
  }
}

function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
