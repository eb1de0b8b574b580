export interface ServerStateOptions {
  /** Milliseconds of a clock that only grows. */
  now: () => number
  /** A number from 0 to below 1. */
  random: () => number
  /** Consecutive failures before prefetching pauses, so that a single broken page does not pause it. */
  failuresBeforePause: number
  /** The first pause; each further failure doubles it. */
  minPauseMs: number
  maxPauseMs: number
}

/** The server's state, derived from the responses to page data requests. */
export interface ServerState {
  noteSuccess(): void
  /** A response of 5xx or 429, or no response. `retryAfterMs`: the server's `Retry-After`. */
  noteFailure(retryAfterMs?: number): void
  /** Maximum prefetches in flight: `most`, none during a pause, and one after it until it succeeds. */
  limitAhead(most: number): number
  /** The remaining time of the pause, in milliseconds; 0 if there is none. */
  pauseMs(): number
}

/** Tracks server failures, so that prefetching does not add load to a failing server. */
export function createServerState(options: ServerStateOptions): ServerState {
  const { now, random, failuresBeforePause, minPauseMs, maxPauseMs } = options
  let failureCount = 0
  let pausedUntil = 0

  const pauseMs = () => Math.max(0, pausedUntil - now())

  return {
    noteSuccess() {
      failureCount = 0
      pausedUntil = 0
    },
    noteFailure(retryAfterMs = 0) {
      // A request that fails during a pause was sent before it.
      if (pauseMs() > 0 && retryAfterMs === 0) return
      failureCount += 1
      if (failureCount < failuresBeforePause && retryAfterMs === 0) return
      const doubled = minPauseMs * 2 ** Math.max(0, failureCount - failuresBeforePause)
      // Jitter: tabs must not all retry at the same moment.
      const jittered = Math.min(maxPauseMs, doubled) * (0.75 + random() * 0.5)
      pausedUntil = Math.max(pausedUntil, now() + Math.max(jittered, Math.min(retryAfterMs, maxPauseMs)))
    },
    limitAhead(most) {
      if (pauseMs() > 0) return 0
      return failureCount >= failuresBeforePause ? 1 : most
    },
    pauseMs,
  }
}
