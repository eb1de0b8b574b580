import type { Event } from '#protocol/event.ts'
import { groupEvent } from '#server/group/group-event.ts'
import { eventCulprit } from '#server/normalize/culprit.ts'
import { normalizeEvent } from '#server/normalize/normalize-event.ts'
import { indexedTags } from '#server/normalize/tags.ts'
import { eventTitle } from '#server/normalize/title.ts'
import { userIdentity } from '#server/normalize/user-identity.ts'
import type { EventRecord } from '#server/store/event-record.ts'

/** What is known about an event besides its payload. */
export interface Reception {
  projectId: number
  /** Unix milliseconds. */
  receivedAt: number
  clientAddress?: string
  /** Of the HTTP request; browsers' SDKs leave it out of the event. */
  userAgent?: string
}

/** An event item whose JSON has been parsed. */
export interface ParsedEvent {
  eventId: string
  value: unknown
  /** The bytes `value` was parsed from. */
  payload: Uint8Array
}

/**
 * Makes of one event what the store keeps: normalized, named, tagged and grouped. Pure; undefined for a payload that
 * is a transaction, which is no error and makes no issue.
 */
export function toEventRecord(parsed: ParsedEvent, reception: Reception): EventRecord | undefined {
  const { eventId, value, payload } = parsed
  const { projectId, receivedAt, clientAddress, userAgent } = reception
  const event = normalizeEvent(value, {
    eventId,
    receivedAt,
    ...(clientAddress !== undefined && { clientAddress }),
    ...(userAgent !== undefined && { userAgent }),
  })
  if (event.type === 'transaction') return undefined
  const grouping = groupEvent(event)
  const userKey = userIdentity(event)
  return {
    projectId,
    eventId,
    category: eventCategory(event),
    groupHash: grouping.hash,
    mechanism: grouping.mechanism,
    ...eventTitle(event),
    culprit: eventCulprit(event),
    ...storedFields(event),
    ...(userKey !== undefined && { userKey }),
    ...(clientAddress !== undefined && { clientAddress }),
    tags: indexedTags(event),
    payload,
  }
}

/** Relay counts messages as errors too: both come as `event` items, and one limit is for both. */
export function eventCategory(event: Pick<Event, 'type'>): string {
  return event.type === 'csp' ? 'security' : 'error'
}

type StoredField =
  | 'type'
  | 'level'
  | 'platform'
  | 'logger'
  | 'occurredAt'
  | 'receivedAt'
  | 'environment'
  | 'release'
  | 'transaction'
  | 'traceId'

/** The fields that the store keeps as they are. */
function storedFields(event: Event): Pick<EventRecord, StoredField> {
  const {
    type,
    level,
    platform,
    logger,
    occurredAt,
    receivedAt,
    environment,
    release,
    transaction,
    traceId,
  } = event
  return {
    type,
    level,
    platform,
    occurredAt,
    receivedAt,
    environment,
    ...(logger !== undefined && { logger }),
    ...(release !== undefined && { release }),
    ...(transaction !== undefined && { transaction }),
    ...(traceId !== undefined && { traceId }),
  }
}
