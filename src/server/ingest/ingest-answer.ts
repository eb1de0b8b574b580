import { formatRateLimits, type AdvertisedRateLimit } from '#protocol/rate-limits.ts'
import type { Rejection, RejectionReason } from '#protocol/rejection.ts'
import { limits } from '#server/limits.ts'
import type { OutcomeCount } from '#server/store/ingest/records.ts'
import { tooLarge } from '#server/too-large.ts'

/**
 * The response to an SDK before a transport writes it. The body is JSON unless `headers` declare another
 * type, or empty.
 */
export interface IngestAnswer {
  status: number
  headers: Readonly<Record<string, string>>
  body: string | Buffer
  /**
   * Set if the whole request was rejected and its items have no outcomes: instead the request is counted
   * once.
   */
  rejection?: Rejection
  /** Outcomes that were committed with the items, for an endpoint that reports them in its answer. */
  outcomes?: readonly OutcomeCount[]
}

const none: Readonly<Record<string, string>> = {}

/**
 * 200 with the event's id, or with an empty object if the envelope created no event. Sentry's Dart SDK reads
 * `id` from it.
 */
export function acceptedAnswer(eventId: string | undefined): IngestAnswer {
  return { status: 200, headers: none, body: eventId === undefined ? '{}' : `{"id":"${eventId}"}` }
}

/** A 200 answer with another status and an empty body; a rejection is returned unchanged. */
export function withoutBody(answer: IngestAnswer, status: number): IngestAnswer {
  return answer.status === 200 ? { ...answer, status, body: '' } : answer
}

const pixel = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

/** A 200 answer as a transparent image of one pixel; a rejection is returned unchanged. */
export function asPixel(answer: IngestAnswer): IngestAnswer {
  if (answer.status !== 200) return answer
  const headers = { ...answer.headers, 'content-type': 'image/gif', 'cache-control': 'no-store' }
  return { ...answer, headers, body: pixel }
}

/** An error in Relay's form: `detail` and its causes. Neither may quote the request. */
export function rejectedAnswer(status: number, detail: string, causes: readonly string[] = []): IngestAnswer {
  return {
    status,
    headers: none,
    body: JSON.stringify(causes.length === 0 ? { detail } : { detail, causes }),
  }
}

/** The error answer to a request that is rejected as a whole, and counted as invalid under `reason`. */
export function rejectWhole(reason: RejectionReason, status: number, detail: string): IngestAnswer {
  return withRejection(rejectedAnswer(status, detail), reason, detail)
}

/** The error answer to a request over a size limit. */
export function rejectTooLarge(detail: string): IngestAnswer {
  const { reason, status, problem } = tooLarge(detail)
  return rejectWhole(reason, status, problem)
}

/**
 * The same answer, counted as a rejected request. `detail` is shown to members of the project, not to the
 * sender.
 */
export function withRejection(answer: IngestAnswer, reason: RejectionReason, detail: string): IngestAnswer {
  return { ...answer, rejection: { outcome: 'invalid', reason, detail } }
}

/**
 * The same answer for an unknown key, an unknown project and a key of another project, so that guessing
 * reveals no difference.
 */
export const rejectedProject = rejectedAnswer(403, 'event submission rejected with_reason: ProjectId')

/** 405; SDKs only send POST. */
export function methodNotAllowed(allow: string): IngestAnswer {
  return { ...rejectedAnswer(405, 'method not allowed'), headers: { allow } }
}

/** 429 for a request whose items are all rate-limited. */
export function limitedAnswer(
  rateLimits: readonly AdvertisedRateLimit[],
  detail = 'rate limit reached, try again later',
): IngestAnswer {
  const seconds = Math.max(1, ...rateLimits.map(({ retryAfterSeconds }) => retryAfterSeconds))
  const answer = withRateLimits(rejectedAnswer(429, detail), rateLimits)
  return { ...answer, headers: { ...answer.headers, 'retry-after': String(seconds) } }
}

/** The same answer with the active limits. Without `Retry-After`, which old SDKs apply to all categories. */
export function withRateLimits(
  answer: IngestAnswer,
  rateLimits: readonly AdvertisedRateLimit[],
): IngestAnswer {
  if (rateLimits.length === 0) return answer
  return { ...answer, headers: { ...answer.headers, 'x-sentry-rate-limits': formatRateLimits(rateLimits) } }
}

/**
 * 429 for all categories, for a while. Never 5xx: an SDK loses an event after a 5xx silently, but counts the
 * events that it drops after a 429, and reports them later.
 */
export function tryLater(detail: string): IngestAnswer {
  return laterAnswer(detail, { seconds: limits.storeRetryAfterSeconds, reason: 'unavailable' })
}

const overloadAnswers = Array.from({ length: limits.overloadRetrySpreadSeconds }, (_, more) =>
  laterAnswer('too many requests at the moment, try again later', {
    seconds: limits.overloadRetryAfterSeconds + more,
    reason: 'overload',
  }),
)

/** 429 under overload, with jittered Retry-After to avoid a thundering herd. `at`: Unix milliseconds. */
export function overloadAnswer(at: number): IngestAnswer {
  return overloadAnswers[Math.floor(at) % overloadAnswers.length] ?? tryLater('overloaded')
}

function laterAnswer(detail: string, { seconds, reason }: { seconds: number; reason: string }): IngestAnswer {
  return limitedAnswer(
    [{ retryAfterSeconds: seconds, category: 'all', scope: 'organization', reason }],
    detail,
  )
}
