import type { Envelope } from '#protocol/envelope.ts'
import { limits } from '#server/limits.ts'
import { runTimed } from '#server/timed-run.ts'
import { EnvelopeTask } from './envelope-work.ts'
import type { EnvelopeWork, WorkContext } from './work-builder.ts'

interface Waiting {
  task: EnvelopeTask
  /** By the monotonic clock. */
  since: number
  /** Times that its step was terminated although it had used little of the processor. */
  stallCount: number
  resolve: (work: EnvelopeWork) => void
  reject: (thrown: unknown) => void
}

/** Envelopes in the order of their arrival. */
const waiting: Waiting[] = []
let isScheduled = false

/** How an envelope is worked on. */
export interface SliceOptions {
  /** True while there are more requests than can be worked on: then small envelopes are not timed. */
  isOverloaded: boolean
}

/**
 * Turns an envelope into what the store shall commit (`toEnvelopeWork`), and never holds the event loop for
 * longer than `limits.workMs`: envelopes of one tick are worked on together in slices of
 * `limits.workSliceMs`, an envelope of many items pauses between two of them, and one item that takes longer
 * becomes a dead letter.
 */
export function workInSlices(
  envelope: Envelope,
  context: WorkContext,
  { isOverloaded }: SliceOptions,
): Promise<EnvelopeWork> {
  const task = new EnvelopeTask(envelope, context)
  return new Promise((resolve, reject) => {
    waiting.push({ task, since: performance.now(), stallCount: 0, resolve, reject })
    if (isScheduled) return
    isScheduled = true
    // Behind those that arrived in the same tick, and before anything else.
    queueMicrotask(() => runSlice(isOverloaded))
  })
}

/** Milliseconds for which the oldest of these envelopes has waited; 0 when none waits. */
export function oldestSliceWaitMs(): number {
  const [oldest] = waiting
  return oldest === undefined ? 0 : performance.now() - oldest.since
}

function runSlice(isOverloaded: boolean): void {
  const startedAt = performance.now()
  const hasTime = () => performance.now() - startedAt < limits.workSliceMs
  const cpuBefore = process.threadCpuUsage()
  try {
    const outcome = isTimed(isOverloaded)
      ? runTimed(() => runTasks(hasTime), limits.workMs)
      : runTasks(hasTime)
    if (outcome === 'timed_out') endStep(cpuMsSince(cpuBefore))
  } catch (thrown) {
    const failed = waiting.findIndex(({ task }) => !task.isDone)
    for (const { reject } of waiting.splice(failed, failed === -1 ? 0 : 1)) reject(thrown)
  }
  settleDone()
  isScheduled = waiting.length > 0
  if (isScheduled) setImmediate(runSlice, isOverloaded)
}

/**
 * Under overload each envelope is a slice of its own, since what may be admitted is measured by the time that
 * it takes; timing each would cost a quarter of the throughput, and flooding is no way to get more than
 * `limits.untimedBytes` past it.
 */
function isTimed(isOverloaded: boolean): boolean {
  if (!isOverloaded) return true
  return waiting.reduce((sum, { task }) => sum + task.byteCount, 0) > limits.untimedBytes
}

/** Changes nothing but the tasks: it may be terminated anywhere. */
function runTasks(hasTime: () => boolean): void {
  for (const { task } of waiting) {
    task.run(hasTime)
    if (!task.isDone || !hasTime()) return
  }
}

/** Decides what becomes of the envelope whose step was terminated: the first one that is not done. */
function endStep(cpuMs: number): void {
  const slow = waiting.find(({ task }) => !task.isDone)
  if (slow === undefined) return
  // A machine that was suspended, or that many others share, makes any step long. The step is innocent then.
  if (cpuMs < limits.workMs * limits.workCpuShare && slow.stallCount < limits.workStalls) {
    slow.stallCount += 1
    slow.task.restart()
    return
  }
  slow.task.giveUp(new Error(`it takes longer than ${limits.workMs} ms to process`))
}

function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

function settleDone(): void {
  for (let [first] = waiting; first?.task.isDone === true; [first] = waiting) {
    waiting.shift()
    first.resolve(first.task.finish())
  }
}
