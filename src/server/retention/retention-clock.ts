import { limits } from '#server/limits.ts'

/** What is remembered of the clock from one look at it to the next, also over restarts. */
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
  /** Milliseconds since the look before, by a clock that nobody sets; 0 at the first look of a process. */
  elapsedMs: number
}

export interface ClockReading extends ClockState {
  /** False: nothing may be deleted for its age now. */
  isTrusted: boolean
}

/**
 * Judges whether the clock may decide what is old. One that jumps ahead by more than `jumpMs` is believed
 * only after it has stayed there for `limits.clockDoubtMs`: a clock that is wrong for an hour must not cost
 * 90 days of events. One that goes back is believed at once, since it deletes less.
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
