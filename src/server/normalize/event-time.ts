import type { FieldError } from '#protocol/event.ts'
import { parseTimestamp } from '#protocol/timestamp.ts'
import { limits } from '#server/limits.ts'
import type { FieldReader } from './field-reader.ts'

/** The inputs of an event's time, in Unix milliseconds. */
export interface TimeContext {
  receivedAt: number
  /** When the event was sent, by the same clock that made its times. */
  sentAt?: number
  /** The time determined at arrival. */
  occurredAt?: number
}

/** When an event happened, and by how much all its times have to be moved for that. Milliseconds. */
export interface EventTime {
  occurredAt: number
  shiftMs: number
}

/**
 * When the event happened: the payload's time, or `receivedAt` where it has none. Relay's rules: a clock that
 * is off by `limits.clockDriftMs` when the event is sent has made its times wrong by as much; a time that is
 * still ahead of us by more than `limits.futureEventMs`, or older than `limits.eventAgeMs`, is replaced by
 * `receivedAt`. Both are noted.
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
  // Derived from the result, so that it is the same without the time of sending.
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
