import { limits } from '#server/limits.ts'

/** The stored state of the clock check, also over restarts. */
export interface ClockState {
  /** What the clock ought to show at least, as far as is known. Unix milliseconds. */
  trustedAt: number
  /** For how long it has shown something implausible. */
  doubtedMs: number
}

/** One look at the clock. */
export interface ClockLook {
  /** Unix milliseconds, as the clock shows it. */
  now: number
  /** Milliseconds since the previous check, by a monotonic clock; 0 at the first check of a process. */
  elapsedMs: number
}

export interface ClockReading extends ClockState {
  /** False: nothing may be deleted for its age now. */
  isTrusted: boolean
}

/**
 * Decides whether the clock can be trusted for expiry. After a jump ahead of more than `jumpMs` it is trusted
 * only after it has stayed there for `limits.clockDoubtMs`: a clock that is wrong for an hour must not cost
 * 90 days of events. A clock that moves back is trusted immediately, since it deletes less.
 */
export function readRetentionClock(
  state: ClockState,
  { now, elapsedMs }: ClockLook,
  jumpMs: number = limits.clockJumpMs,
): ClockReading {
  const expectedAt = state.trustedAt + elapsedMs
  const doubtedMs = state.doubtedMs + elapsedMs
  if (now - expectedAt <= jumpMs || doubtedMs >= limits.clockDoubtMs) {
    return { isTrusted: true, trustedAt: now, doubtedMs: 0 }
  }
  return { isTrusted: false, trustedAt: expectedAt, doubtedMs }
}
