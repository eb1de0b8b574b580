import * as v from 'valibot'
import { parseRetryAfter } from '#protocol/retry-after.ts'
import { toPlainLine } from '#server/alerts/channels/plain-text.ts'
import type { AlertAnswer } from '#server/alerts/message.ts'
import type { ReceivedAnswer } from '#server/forward/awaited-answer.ts'
import { limits } from '#server/limits.ts'

/** Statuses of at least 400 that do not reject the message (RFC 9110, RFC 8470). */
const transient = new Set([408, 425, 429])

/** The statuses with a special meaning for a channel. */
export interface AnswerRules {
  /** Statuses of a receiver that does not exist or wants no more messages. */
  disabling?: readonly number[]
  /** Unix milliseconds, for dates in `Retry-After`. */
  now: number
}

/** Decides how to continue after the answer of a receiver, by its status alone. Pure. */
export function judgeReceiver(answer: ReceivedAnswer, { disabling = [], now }: AnswerRules): AlertAnswer {
  if (answer.kind === 'failed') {
    // The message of the address rule names the setting that would allow it. Later attempts would fail, too.
    const isForbidden = answer.problem.includes('CULVERT_ALLOW_PRIVATE_DESTINATIONS')
    return { verdict: isForbidden ? 'rejected' : 'retry', answerExcerpt: answer.problem }
  }
  const { status, retryAfter, body = '' } = answer
  const excerpt = toPlainLine(body, limits.channelAnswerCharacters)
  const isRedirect = status >= 300 && status < 400
  const judged = {
    status,
    answerExcerpt: isRedirect ? `a redirect, which is not followed ${excerpt}`.trim() : excerpt,
  }
  if (status >= 200 && status < 300) return { ...judged, verdict: 'delivered' }
  if (status < 500 && disabling.includes(status)) return { ...judged, verdict: 'disabled' }
  if (status < 500 && !transient.has(status)) return { ...judged, verdict: 'rejected' }
  const seconds = retryAfter === undefined ? undefined : parseRetryAfter(retryAfter, now)
  return { ...judged, verdict: 'retry', retryAfterMs: toRetryAfterMs(seconds) }
}

/** Converts a receiver's number of seconds to milliseconds, up to the limit. */
export function toRetryAfterMs(seconds: number | undefined): number | undefined {
  if (seconds === undefined || !Number.isFinite(seconds) || seconds < 0) return undefined
  return Math.min(Math.ceil(seconds * 1_000), limits.channelRetryAfterMaxMs)
}

/** Parses the body of an answer; undefined if it does not match the schema. */
export function readAnswerJson<Schema extends v.GenericSchema>(
  answer: ReceivedAnswer,
  schema: Schema,
): v.InferOutput<Schema> | undefined {
  if (answer.kind === 'failed' || answer.body === undefined) return undefined
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), answer.body)
  return result.success ? result.output : undefined
}
