import { itemCategories } from '#protocol/data-category.ts'
import { parseRateLimits } from '#protocol/rate-limits.ts'
import { parseRetryAfter } from '#protocol/retry-after.ts'
import { limits } from '#server/limits.ts'
import type { DeliveryAnswer } from './delivery.ts'

/** What an upstream takes no more of, for how long. The category `all` is everything. */
export interface Hold {
  category: string
  seconds: number
}

/**
 * What becomes of an envelope after one attempt: it is delivered; refused for good, and a person decides; or
 * tried again. `isFailure`: the upstream is not well, and is left alone for a while, `waitSeconds` at least
 * where it said so.
 */
export interface Verdict {
  end: 'delivered' | 'refused' | 'again'
  isFailure: boolean
  waitSeconds: number
  holds: Hold[]
  /** For people: `200`, `503`, `ECONNREFUSED`. */
  told: string
}

/** Statuses of 400 and more that say nothing about the envelope (RFC 9110, RFC 8470). */
const passing = new Set([408, 425])

/** Judges the answer to an envelope of a lane. `now`: Unix milliseconds. Pure. */
export function judgeAnswer(answer: DeliveryAnswer, lane: string, now: number): Verdict {
  if (answer.kind === 'failed') return again(answer.problem)
  const { status, retryAfter, rateLimits } = answer
  const told = String(status)
  const heard = rateLimits === undefined ? [] : toHolds(rateLimits)
  const seconds = retryAfter === undefined ? undefined : parseRetryAfter(retryAfter, now)
  if (status >= 200 && status < 300)
    return { end: 'delivered', isFailure: false, waitSeconds: 0, holds: heard, told }
  if (status === 429) {
    const holds = heard.length > 0 ? heard : [hold('all', seconds ?? limits.forwardHoldSeconds)]
    // One that does not say what it wants less of would be asked again at once.
    const concernsLane = holds.some(({ category }) => category === 'all' || category === lane)
    return { end: 'again', isFailure: !concernsLane, waitSeconds: 0, holds, told }
  }
  if (status >= 400 && status < 500 && !passing.has(status))
    return { end: 'refused', isFailure: false, waitSeconds: 0, holds: heard, told }
  const isRedirect = status >= 300 && status < 400
  return {
    ...again(isRedirect ? `${told}, a redirect` : told),
    waitSeconds: seconds === undefined ? 0 : hold('all', seconds).seconds,
    holds: heard,
  }
}

/**
 * Nothing that is sent has another one; browsers are told of what is held, and never of what an upstream made
 * up.
 */
function isKnown(category: string): boolean {
  return itemCategories.includes(category)
}

function again(told: string): Verdict {
  return { end: 'again', isFailure: true, waitSeconds: 0, holds: [], told }
}

function toHolds(header: string): Hold[] {
  return parseRateLimits(header).flatMap(({ retryAfterSeconds, categories }) =>
    (categories.length === 0 ? ['all'] : categories.filter(isKnown)).map((category) =>
      hold(category, retryAfterSeconds),
    ),
  )
}

/** At least a second: an upstream that says "not now, but at once" is not asked in a circle. */
function hold(category: string, seconds: number): Hold {
  return { category, seconds: Math.min(Math.max(1, Math.ceil(seconds)), limits.forwardHoldMaxSeconds) }
}
