import { itemCategories } from '#protocol/data-category.ts'
import type { ToldRateLimit } from '#protocol/rate-limits.ts'
import { limits } from '#server/limits.ts'
import type { UpstreamState } from '#server/store/upstreams/upstreams.ts'
import type { Hold, Verdict } from './verdict.ts'

/** Two clocks at one moment: what people see, and one that nobody sets. Milliseconds. */
export interface Moment {
  wallMs: number
  monotonicMs: number
}

/** Milliseconds to wait after a failure that `failureCount` others preceded. `random`: 0 to below 1. */
export function retryDelayMs(failureCount: number, random: number): number {
  // Full jitter (AWS Architecture Blog, "Exponential Backoff And Jitter").
  return random * Math.min(limits.forwardRetryMaxMs, limits.forwardRetryMs * 2 ** failureCount)
}

/** An answer, and when its request was sent. */
export interface NotedAnswer {
  sentAtMs: number
  nowMs: number
  /** 0 to below 1. */
  random: number
  /** The envelope can wait by itself. */
  canWait: boolean
}

/** When an upstream may be sent what. Times are monotonic, so that a clock that is set changes nothing. */
export class Pace {
  private failures = 0
  private retryAtMs = 0
  /** When something was last not taken. */
  private turnedAwayAtMs = Number.NEGATIVE_INFINITY
  private isProbing = false
  /** When it last accepted an envelope, or rejected one for good. */
  private acceptedAtMs = Number.NEGATIVE_INFINITY
  /** Failures since then. */
  private failuresInRow = 0
  /** By category. */
  private readonly heldUntilMs = new Map<string, number>()

  /** Failures in a row. */
  get failureCount(): number {
    return this.failures
  }

  /**
   * Takes over what was known before, by another process or before a restart. A time that is too far ahead,
   * because the clock was set, counts as the longest there is.
   */
  adopt({ failureCount = 0, retryAt, held = [] }: UpstreamState, { wallMs, monotonicMs }: Moment): void {
    const longestMs = limits.forwardHoldMaxSeconds * 1000
    const toMonotonic = (at: number) => monotonicMs + Math.min(Math.max(0, at - wallMs), longestMs)
    this.failures = failureCount
    this.isProbing = failureCount > 0 || held.length > 0
    this.retryAtMs = retryAt === undefined ? 0 : toMonotonic(retryAt)
    this.heldUntilMs.clear()
    for (const { category, until } of held) this.heldUntilMs.set(category, toMonotonic(until))
  }

  /**
   * Notes an answer to what was sent at `sentAtMs`. What was on its way when another one was not taken says
   * nothing new: neither does it count as one more failure, nor as a recovery. A failure of an upstream that
   * accepts others concerns its envelope alone: then nothing is held back, and it returns true.
   */
  note(
    { isFailure, waitSeconds, holds, end }: Verdict,
    { sentAtMs, nowMs, random, canWait }: NotedAnswer,
  ): boolean {
    for (const { category, seconds } of holds) this.hold({ category, seconds }, nowMs)
    if (sentAtMs <= this.turnedAwayAtMs) return false
    if (end !== 'again') {
      this.acceptedAtMs = nowMs
      this.failuresInRow = 0
    } else if (isFailure) {
      this.failuresInRow += 1
      if (canWait && waitSeconds === 0 && this.isWell(nowMs)) return true
    }
    this.isProbing = end === 'again'
    if (this.isProbing) this.turnedAwayAtMs = nowMs
    if (isFailure) {
      this.retryAtMs = nowMs + Math.max(retryDelayMs(this.failures, random), waitSeconds * 1000)
      this.failures += 1
    } else if (end !== 'again') {
      this.failures = 0
      this.retryAtMs = 0
    }
    return false
  }

  /** It accepted an envelope a moment ago, and not as many have failed since as go up at once. */
  private isWell(nowMs: number): boolean {
    return (
      this.failures === 0 &&
      this.failuresInRow < limits.forwardConcurrency &&
      nowMs - this.acceptedAtMs < limits.forwardWellMs
    )
  }

  private hold({ category, seconds }: Hold, nowMs: number): void {
    this.heldUntilMs.set(category, nowMs + seconds * 1000)
  }

  /** Lets everything go at once: a person asked for it. */
  reset(): void {
    this.isProbing = true
    this.failures = 0
    this.retryAtMs = 0
    this.heldUntilMs.clear()
  }

  /**
   * How many envelopes may be on their way: none while it waits, one as a probe after one that was not taken.
   */
  allowance(nowMs: number): number {
    if (nowMs < this.retryAtMs) return 0
    return this.isProbing ? 1 : limits.forwardConcurrency
  }

  /** The lanes that nothing holds back. */
  listOpenLanes(nowMs: number): string[] {
    if (this.isHeld('all', nowMs)) return []
    return itemCategories.filter((lane) => !this.isHeld(lane, nowMs))
  }

  private isHeld(category: string, nowMs: number): boolean {
    return (this.heldUntilMs.get(category) ?? 0) > nowMs
  }

  /** When something that waits now may go on, if anything does. */
  findNextAtMs(nowMs: number): number | undefined {
    const times = [this.retryAtMs, ...this.heldUntilMs.values()].filter((at) => at > nowMs)
    return times.length === 0 ? undefined : Math.min(...times)
  }

  /** The limits in force as a client is told of them. */
  listHeld(nowMs: number): ToldRateLimit[] {
    return [...this.heldUntilMs].flatMap(([category, untilMs]) =>
      untilMs <= nowMs
        ? []
        : {
            retryAfterSeconds: Math.ceil((untilMs - nowMs) / 1000),
            category,
            scope: 'organization' as const,
            reason: 'upstream',
          },
    )
  }

  /** What is to be left in the store. */
  toState({ wallMs, monotonicMs }: Moment): UpstreamState {
    const toWall = (ms: number) => Math.ceil(wallMs + ms - monotonicMs)
    return {
      failureCount: this.failures,
      ...(this.retryAtMs > monotonicMs && { retryAt: toWall(this.retryAtMs) }),
      held: [...this.heldUntilMs].flatMap(([category, untilMs]) =>
        untilMs > monotonicMs ? { category, until: toWall(untilMs) } : [],
      ),
    }
  }
}
