import { limits } from '#server/limits.ts'
import type { Log } from '#server/log.ts'
import { createTraceShare, type TraceShare } from './trace-share.ts'

/** Detects overload by how long requests wait. Instants are monotonic. */
export interface Overload {
  readonly isOn: boolean
  /** Decides during an overload which traces are stored. */
  readonly traces: Pick<TraceShare, 'admit' | 'noteOthers'>
  /** Records an event-loop tick that ended at `at`, whose requests waited for up to `waitMs`. */
  noteTick(at: number, waitMs: number): void
  /** Records a rejected request. */
  noteRejection(at: number): void
}

/** Creates a detector without overload. Logs the start and the end of each overload. */
export function createOverload(log: Pick<Log, 'warn' | 'info'>): Overload {
  const traces = createTraceShare()
  let isOn = false
  /** In the current tick. */
  let hasRejected = false
  let longWaits: { count: number; since: number } | undefined
  let rejectedAt = 0
  let rejectedCount = 0

  function begin(at: number, waitMs: number): void {
    isOn = true
    rejectedAt = at
    log.warn({ waitMs: Math.round(waitMs) }, 'overloaded: requests beyond capacity are rejected')
  }

  function end(): void {
    log.info({ rejectedCount }, 'no longer overloaded')
    isOn = false
    longWaits = undefined
    rejectedCount = 0
    traces.reset()
  }

  return {
    get isOn() {
      return isOn
    },
    traces,
    noteTick(at, waitMs) {
      if (isOn) {
        traces.noteTick(at, hasRejected || waitMs >= limits.longWaitMs)
        hasRejected = false
        if (at - rejectedAt >= limits.overloadCalmMs) end()
      } else if (waitMs < limits.longWaitMs) {
        longWaits = undefined
      } else {
        longWaits ??= { count: 0, since: at - waitMs }
        longWaits.count += 1
        const isLasting = at - longWaits.since >= limits.overloadAfterMs
        if (isLasting && longWaits.count >= limits.longWaits) begin(at, waitMs)
      }
    },
    noteRejection(at) {
      hasRejected = true
      rejectedAt = at
      rejectedCount += 1
    },
  }
}
