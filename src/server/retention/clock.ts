import { limits } from '#server/limits.ts'

/** The state of the clock check, which is stored across restarts. */
export interface ClockState {
  /**
   * The time that the clock should show at least: the last trusted one plus the time elapsed since. Unix
   * milliseconds.
   */
  trustedAt: number
  /** For how long the clock has been implausible. */
  doubtedMs: number
}

/** One check of the clock. */
export interface ClockSample {
  /** The time of the clock in Unix milliseconds. */
  now: number
  /** Milliseconds since the previous check, by a monotonic clock; 0 at the first check of a process. */
  elapsedMs: number
}

export interface ClockReading extends ClockState {
  /** False: nothing may be deleted by age. */
  isTrusted: boolean
}

/**
 * Decides whether the clock can be trusted for expiry. After a jump ahead of more than `jumpMs` it is trusted
 * only after it has stayed there for `limits.clockDoubtMs`: a clock that is wrong for an hour must not cost
 * 90 days of events. A clock that moves back is trusted immediately, because then less is deleted.
 */
export function readRetentionClock(
  state: ClockState,
  { now, elapsedMs }: ClockSample,
  jumpMs: number = limits.clockJumpMs,
): ClockReading {
  const expectedAt = state.trustedAt + elapsedMs
  const doubtedMs = state.doubtedMs + elapsedMs
  if (now - expectedAt <= jumpMs || doubtedMs >= limits.clockDoubtMs) {
    return { isTrusted: true, trustedAt: now, doubtedMs: 0 }
  }
  return { isTrusted: false, trustedAt: expectedAt, doubtedMs }
}
