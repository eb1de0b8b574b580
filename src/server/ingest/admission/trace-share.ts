import { limits } from '#server/limits.ts'

/** Decides during an overload which requests may store their traces. Instants are monotonic. */
export interface TraceShare {
  /** Admits or drops the traces of one request. */
  admit(at: number): boolean
  /** Records a request with items other than traces. */
  noteOthers(at: number): void
  /** Records a tick under overload. `isCongested`: requests were rejected in it, or have waited for long. */
  noteTick(at: number, isCongested: boolean): void
  /** Call when the overload has ended. */
  reset(): void
}

/**
 * Halves the share of requests that keep their traces with each congested tick, and increases it again with
 * time: traces get the capacity that errors leave. While only traces arrive none are dropped for errors, and
 * some are always stored: otherwise clients that ignore rejections would keep the server busy with rejecting,
 * and nothing would be stored.
 */
export function createTraceShare(): TraceShare {
  let share = 1
  let changedAt: number | undefined
  let othersAt = Number.NEGATIVE_INFINITY
  /** Sum of the shares of the requests so far, minus the admitted requests. */
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
    noteTick(at, isCongested) {
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
