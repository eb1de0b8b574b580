import type { FieldError } from '#protocol/event.ts'
import { parseTimestamp } from '#protocol/timestamp.ts'
import { limits } from '#server/limits.ts'
import type { FieldReader } from './field-reader.ts'

/** The inputs of an event's time, in Unix milliseconds. */
export interface TimeContext {
  receivedAt: number
  /** When the event was sent, by the clock of its times. */
  sentAt?: number
  /** The time determined at arrival. */
  occurredAt?: number
}

/** When an event occurred, and by how much its other times have to be corrected. Milliseconds. */
export interface EventTime {
  occurredAt: number
  shiftMs: number
}

/**
 * When the event occurred: the payload's time, or `receivedAt` if it has none. Relay's rules: a difference
 * between the clocks of at least `limits.clockDriftMs` is corrected; a time that is then more than
 * `limits.futureEventMs` in the future, or older than `limits.eventAgeMs`, is replaced by `receivedAt`. Both
 * are recorded as field errors.
 */
export function readEventTime(event: FieldReader, context: TimeContext): EventTime {
  const { receivedAt } = context
  const sent = event.source['timestamp']
  const claimedAt = parseTimestamp(sent)
  if (claimedAt === undefined) {
    if (sent !== undefined && sent !== null) event.note('timestamp', 'wrong_type')
    return { occurredAt: context.occurredAt ?? receivedAt, shiftMs: 0 }
  }
  const occurredAt = context.occurredAt ?? correctTime(claimedAt, context)
  if (occurredAt === claimedAt) return { occurredAt, shiftMs: 0 }
  // Derived from the result, so that it does not depend on the time of sending.
  const replaced = occurredAt === receivedAt ? outOfRange(claimedAt, receivedAt) : undefined
  event.note('timestamp', replaced ?? 'clock_drift')
  return { occurredAt, shiftMs: occurredAt - claimedAt }
}

function correctTime(claimedAt: number, { receivedAt, sentAt = receivedAt }: TimeContext): number {
  const driftMs = receivedAt - sentAt
  const correctedAt = Math.abs(driftMs) >= limits.clockDriftMs ? claimedAt + driftMs : claimedAt
  return outOfRange(correctedAt, receivedAt) === undefined ? correctedAt : receivedAt
}

function outOfRange(at: number, receivedAt: number): FieldError['reason'] | undefined {
  if (at > receivedAt + limits.futureEventMs) return 'future_timestamp'
  return at < receivedAt - limits.eventAgeMs ? 'past_timestamp' : undefined
}
