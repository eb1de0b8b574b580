import { limits } from '#server/limits.ts'

/** Decides during an overload which requests may store their traces. Instants are monotonic. */
export interface TraceShare {
  /** Admits or sheds the traces of one request. */
  admit(at: number): boolean
  /** Records a request with other items than traces. */
  noteOthers(at: number): void
  /** Records a tick under overload. `isCongested`: requests were rejected in it, or wait for long. */
  noteTurn(at: number, isCongested: boolean): void
  /** The overload has ended. */
  reset(): void
}

/**
 * The share of requests that keep their traces is halved by each tick in which requests do not get through,
 * and recovers with time: traces use what errors leave. While only traces arrive there is nothing to give
 * them up for, and a part is always kept: clients that ignore the rejections would otherwise keep the server
 * busy with rejecting, and nothing would be stored.
 */
export function createTraceShare(): TraceShare {
  let share = 1
  let changedAt: number | undefined
  let othersAt = Number.NEGATIVE_INFINITY
  /** Sum of the shares of the requests so far, without those that it admitted. */
  let credit = 0

  return {
    admit(at) {
      const isAlone = at - othersAt >= limits.tracesAloneMs
      credit += isAlone ? Math.max(share, limits.tracesAloneShare) : share
      if (credit < 1) return false
      credit -= 1
      return true
    },
    noteOthers(at) {
      othersAt = at
    },
    noteTurn(at, isCongested) {
      const elapsedMs = at - (changedAt ?? at)
      share = isCongested ? share / 2 : Math.min(1, share + elapsedMs / limits.traceRecoveryMs)
      changedAt = at
    },
    reset() {
      share = 1
      changedAt = undefined
      credit = 0
    },
  }
}
