import type { EnvelopeItem } from '#protocol/envelope.ts'
import { parsePayloadJson } from '#protocol/payload-json.ts'
import {
  parseSessionAggregates,
  parseSessionUpdate,
  type SessionAttributes,
  type SessionBucket,
} from '#protocol/session.ts'
import type { FilterReason } from '#server/filter/filter-reason.ts'
import { limits } from '#server/limits.ts'
import { cleanText, cutText } from '#server/normalize/text.ts'
import type { SessionReport } from '#server/store/sessions/record.ts'
import { appConfig } from '../../../../app.config.ts'
import { findFilterReason } from './filtered.ts'
import type { Reception } from './reception.ts'

/** The outcome of a session item. The reasons are Relay's. */
export type SessionResult =
  | { kind: 'counted'; reports: SessionReport[] }
  | { kind: 'filtered'; reason: FilterReason }
  | { kind: 'invalid'; reason: 'invalid_json' | 'no_data' | 'timestamp' | 'too_large' }

/** The sender and time of an item. */
export interface SessionOrigin {
  reception: Reception
  /** When it was sent, by the sender's clock. Unix milliseconds. */
  sentAt?: number
}

/** Parses a `session` item. Pure. */
export function toSessionResult({ payload }: EnvelopeItem, origin: SessionOrigin): SessionResult {
  const { receivedAt } = origin.reception
  if (payload.byteLength > limits.eventBytes) return { kind: 'invalid', reason: 'too_large' }
  const json = parsePayloadJson(payload)
  const update = json.ok ? parseSessionUpdate(json.value) : undefined
  if (update === undefined) return { kind: 'invalid', reason: 'invalid_json' }
  const reason = findSessionFilter(update.attributes, origin.reception)
  if (reason !== undefined) return { kind: 'filtered', reason }
  const startedAt = findStart(update.startedAt, origin)
  if (startedAt === undefined) return { kind: 'invalid', reason: 'timestamp' }
  const { sid, isFirst, state, updatedAt = receivedAt, seq = updatedAt } = update
  const fields = { ...toSessionFields(update.attributes, origin), startedAt, ...toUserKey(update.did) }
  return { kind: 'counted', reports: [{ ...fields, kind: 'session', sid, seq, isFirst, state }] }
}

/** Parses a `sessions` item: it is counted if any of its buckets is. Pure. */
export function toAggregatesResult({ payload }: EnvelopeItem, origin: SessionOrigin): SessionResult {
  if (payload.byteLength > limits.eventBytes) return { kind: 'invalid', reason: 'too_large' }
  const json = parsePayloadJson(payload)
  const aggregates = json.ok ? parseSessionAggregates(json.value) : undefined
  if (aggregates === undefined) return { kind: 'invalid', reason: 'invalid_json' }
  const { attributes, buckets } = aggregates
  if (buckets.length === 0) return { kind: 'invalid', reason: 'no_data' }
  if (buckets.length > limits.sessionBucketsPerItem) return { kind: 'invalid', reason: 'too_large' }
  const reason = findSessionFilter(attributes, origin.reception)
  if (reason !== undefined) return { kind: 'filtered', reason }
  const fields = toSessionFields(attributes, origin)
  const reports = buckets.flatMap((bucket) => toBucketReport(bucket, { fields, origin }))
  return reports.length === 0 ? { kind: 'invalid', reason: 'timestamp' } : { kind: 'counted', reports }
}

type SessionFields = ReturnType<typeof toSessionFields>

function toBucketReport(
  { startedAt: claimedAt, did, counts }: SessionBucket,
  { fields, origin }: { fields: SessionFields; origin: SessionOrigin },
): SessionReport[] {
  const startedAt = findStart(claimedAt, origin)
  return startedAt === undefined ? [] : [{ ...fields, kind: 'bucket', startedAt, counts, ...toUserKey(did) }]
}

/**
 * When sessions began, by the server's clock: a difference of at least `limits.clockDriftMs` to the sender's
 * clock is corrected. Undefined for a time in the future, or so long ago that the session's id may no longer
 * be stored.
 */
function findStart(
  claimedAt: number,
  { reception: { receivedAt }, sentAt }: SessionOrigin,
): number | undefined {
  const driftMs = receivedAt - (sentAt ?? receivedAt)
  const startedAt = Math.abs(driftMs) >= limits.clockDriftMs ? claimedAt + driftMs : claimedAt
  const isPlausible =
    startedAt <= receivedAt + limits.futureEventMs && startedAt >= receivedAt - limits.sessionAgeMs
  return isPlausible ? startedAt : undefined
}

function toSessionFields(
  { release, environment }: SessionAttributes,
  { reception: { projectId } }: SessionOrigin,
) {
  return {
    projectId,
    release: cleanText(release, limits.releaseCharacters),
    environment:
      environment === undefined || environment === 'none'
        ? appConfig.defaultEnvironment
        : cleanText(environment, limits.environmentCharacters),
  }
}

function toUserKey(did: string | undefined): { userKey?: string } {
  return did === undefined ? {} : { userKey: `did:${cutText(did, limits.sessionUserCharacters)}` }
}

/** Only the filters by release, address and user agent apply to sessions (Relay's `Filterable`). */
function findSessionFilter(
  { release, userAgent }: SessionAttributes,
  reception: Reception,
): FilterReason | undefined {
  const headers: [string, string][] = userAgent === undefined ? [] : [['User-Agent', userAgent]]
  const subject = { type: 'default', release, request: { headers } } as const
  return findFilterReason({ subject, raw: undefined }, reception)
}
