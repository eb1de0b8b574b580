import { itemCategories } from '#protocol/data-category.ts'
import type { AdvertisedRateLimit } from '#protocol/rate-limits.ts'
import { limits } from '#server/limits.ts'
import { remainingMs, type UpstreamState } from '#server/store/upstreams/upstreams.ts'
import type { CategoryLimit, Verdict } from './verdict.ts'

/** The wall clock and the monotonic clock at one moment. Milliseconds. */
export interface Moment {
  wallMs: number
  monotonicMs: number
}

/** The delay after a failure that follows `failureCount` others, in milliseconds. `random`: below 1. */
export function retryDelayMs(failureCount: number, random: number): number {
  // Full jitter (AWS Architecture Blog, "Exponential Backoff And Jitter").
  return random * Math.min(limits.forwardRetryMaxMs, limits.forwardRetryMs * 2 ** failureCount)
}

/** An answer, and when its request was sent. */
export interface NotedAnswer {
  sentAtMs: number
  nowMs: number
  /** From 0 to below 1. */
  random: number
  /** True if `Retries` has room for the envelope. */
  canWait: boolean
}

/**
 * The backoff and the rate limits of an upstream. Uses monotonic time, so that a change of the wall clock has
 * no effect.
 */
export class Pace {
  private failures = 0
  private retryAtMs = 0
  /** When the upstream last did not accept an envelope. */
  private rejectedAtMs = Number.NEGATIVE_INFINITY
  private isProbing = false
  /** When the upstream last accepted an envelope, or rejected one permanently. */
  private acceptedAtMs = Number.NEGATIVE_INFINITY
  /** Consecutive failures since then. */
  private failuresInRow = 0
  /** The ends of the rate limits, by category. */
  private readonly limitedUntilMs = new Map<string, number>()

  /** Failures in a row. */
  get failureCount(): number {
    return this.failures
  }

  /**
   * Adopts the state of another process, or from before a restart. A delay is at most the one that the last
   * answer caused, even if the clock was set back since, and at most the longest rate limit.
   */
  adopt(state: UpstreamState, { wallMs, monotonicMs }: Moment): void {
    const { failureCount = 0, retryAt, held = [] } = state
    const longestMs = limits.forwardRateLimitMaxSeconds * 1000
    const toMonotonic = (at: number) => monotonicMs + Math.min(remainingMs(state, at, wallMs), longestMs)
    this.failures = failureCount
    this.isProbing = failureCount > 0 || held.length > 0
    this.retryAtMs = retryAt === undefined ? 0 : toMonotonic(retryAt)
    this.limitedUntilMs.clear()
    for (const { category, until } of held) this.limitedUntilMs.set(category, toMonotonic(until))
  }

  /**
   * Records an answer to an envelope sent at `sentAtMs`. The answer to an envelope that was in flight during
   * the last failure counts neither as a failure nor as a recovery. If the upstream accepts other envelopes,
   * a failure concerns its envelope alone: `note` then delays nothing and returns true.
   */
  note(
    { isFailure, waitSeconds, rateLimits, result }: Verdict,
    { sentAtMs, nowMs, random, canWait }: NotedAnswer,
  ): boolean {
    for (const { category, seconds } of rateLimits) this.limit({ category, seconds }, nowMs)
    if (sentAtMs <= this.rejectedAtMs) return false
    if (result !== 'retry') {
      this.acceptedAtMs = nowMs
      this.failuresInRow = 0
    } else if (isFailure) {
      this.failuresInRow += 1
      if (canWait && waitSeconds === 0 && this.isWell(nowMs)) return true
    }
    this.isProbing = result === 'retry'
    if (this.isProbing) this.rejectedAtMs = nowMs
    if (isFailure) {
      this.retryAtMs = nowMs + Math.max(retryDelayMs(this.failures, random), waitSeconds * 1000)
      this.failures += 1
    } else if (result !== 'retry') {
      this.failures = 0
      this.retryAtMs = 0
    }
    return false
  }

  /** True if the upstream accepted one recently, and fewer than `forwardConcurrency` have failed since. */
  private isWell(nowMs: number): boolean {
    return (
      this.failures === 0 &&
      this.failuresInRow < limits.forwardConcurrency &&
      nowMs - this.acceptedAtMs < limits.forwardWellMs
    )
  }

  private limit({ category, seconds }: CategoryLimit, nowMs: number): void {
    this.limitedUntilMs.set(category, nowMs + seconds * 1000)
  }

  /** Ends all delays and limits, when a user requests a retry. */
  reset(): void {
    this.isProbing = true
    this.failures = 0
    this.retryAtMs = 0
    this.limitedUntilMs.clear()
  }

  /** How many envelopes can be in flight: none during a delay, one as a probe after a failure. */
  allowance(nowMs: number): number {
    if (nowMs < this.retryAtMs) return 0
    return this.isProbing ? 1 : limits.forwardConcurrency
  }

  /** The categories without an active rate limit. */
  listOpenCategories(nowMs: number): string[] {
    if (this.isLimited('all', nowMs)) return []
    return itemCategories.filter((category) => !this.isLimited(category, nowMs))
  }

  private isLimited(category: string, nowMs: number): boolean {
    return (this.limitedUntilMs.get(category) ?? 0) > nowMs
  }

  /** When the next delay or rate limit ends. */
  findNextAtMs(nowMs: number): number | undefined {
    const times = [this.retryAtMs, ...this.limitedUntilMs.values()].filter((at) => at > nowMs)
    return times.length === 0 ? undefined : Math.min(...times)
  }

  /** The active limits, as Culvert advertises them to clients. */
  listRateLimits(nowMs: number): AdvertisedRateLimit[] {
    return [...this.limitedUntilMs].flatMap(([category, untilMs]) =>
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

  /** The state for the store. */
  toState({ wallMs, monotonicMs }: Moment): UpstreamState {
    const toWall = (ms: number) => Math.ceil(wallMs + ms - monotonicMs)
    return {
      failureCount: this.failures,
      ...(this.retryAtMs > monotonicMs && { retryAt: toWall(this.retryAtMs) }),
      held: [...this.limitedUntilMs].flatMap(([category, untilMs]) =>
        untilMs > monotonicMs ? { category, until: toWall(untilMs) } : [],
      ),
    }
  }
}
