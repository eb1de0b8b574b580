import { itemCategories } from '#protocol/data-category.ts'
import { parseRateLimits } from '#protocol/rate-limits.ts'
import { parseRetryAfter } from '#protocol/retry-after.ts'
import { limits } from '#server/limits.ts'
import type { ReceivedAnswer } from './awaited-answer.ts'

/** A rate limit of an upstream. The category `all` means every category. */
export interface CategoryLimit {
  category: string
  seconds: number
}

/**
 * The verdict on an attempt: the envelope is delivered; rejected permanently, until a user retries or deletes
 * it; or retried. `isFailure`: the upstream is failing, and the sender waits at least `waitSeconds` before
 * the next attempt.
 */
export interface Verdict {
  result: 'delivered' | 'rejected' | 'retry'
  isFailure: boolean
  waitSeconds: number
  rateLimits: CategoryLimit[]
  /** Displayed to users: `200`, `503`, `ECONNREFUSED`. */
  answer: string
}

/** Statuses of at least 400 that do not concern the envelope (RFC 9110, RFC 8470). */
const transient = new Set([408, 425])

/** The verdict on the answer to an envelope of a category. `now`: Unix milliseconds. Pure. */
export function judgeAnswer(delivery: ReceivedAnswer, category: string, now: number): Verdict {
  if (delivery.kind === 'failed') return toFailure(delivery.problem)
  const { status, retryAfter } = delivery
  const answer = String(status)
  const advertised = delivery.rateLimits === undefined ? [] : toCategoryLimits(delivery.rateLimits)
  const seconds = retryAfter === undefined ? undefined : parseRetryAfter(retryAfter, now)
  if (status >= 200 && status < 300)
    return { result: 'delivered', isFailure: false, waitSeconds: 0, rateLimits: advertised, answer }
  if (status === 429) {
    const rateLimits =
      advertised.length > 0 ? advertised : [toLimit('all', seconds ?? limits.forwardRateLimitSeconds)]
    // Without a limit for the envelope's category the sender would send it again immediately.
    const isLimited = rateLimits.some((limit) => limit.category === 'all' || limit.category === category)
    return { result: 'retry', isFailure: !isLimited, waitSeconds: 0, rateLimits, answer }
  }
  if (status >= 400 && status < 500 && !transient.has(status))
    return { result: 'rejected', isFailure: false, waitSeconds: 0, rateLimits: advertised, answer }
  const isRedirect = status >= 300 && status < 400
  return {
    ...toFailure(isRedirect ? `${answer}, a redirect` : answer),
    waitSeconds: seconds === undefined ? 0 : toLimit('all', seconds).seconds,
    rateLimits: advertised,
  }
}

/**
 * Envelopes have no other categories. Culvert advertises the limits to browsers, which must not receive
 * categories that an upstream has invented.
 */
function isKnown(category: string): boolean {
  return itemCategories.includes(category)
}

function toFailure(answer: string): Verdict {
  return { result: 'retry', isFailure: true, waitSeconds: 0, rateLimits: [], answer }
}

function toCategoryLimits(header: string): CategoryLimit[] {
  return parseRateLimits(header).flatMap(({ retryAfterSeconds, categories }) =>
    (categories.length === 0 ? ['all'] : categories.filter(isKnown)).map((category) =>
      toLimit(category, retryAfterSeconds),
    ),
  )
}

/** At least a second: a limit of 0 seconds must not cause a busy loop. */
function toLimit(category: string, seconds: number): CategoryLimit {
  return { category, seconds: Math.min(Math.max(1, Math.ceil(seconds)), limits.forwardRateLimitMaxSeconds) }
}
