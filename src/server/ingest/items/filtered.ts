import { parseEventId } from '#protocol/event-id.ts'
import type { Event } from '#protocol/event.ts'
import { filterEvent } from '#server/filter/filter-event.ts'
import type { FilterReason } from '#server/filter/filter-reason.ts'
import type { FilterSubject } from '#server/filter/filter-subject.ts'
import { limits } from '#server/limits.ts'
import { cutText, firstLine } from '#server/normalize/text.ts'
import { eventTitle } from '#server/normalize/title.ts'
import type { FilterSample, OutcomeCount } from '#server/store/ingest/records.ts'
import { eventCategory } from './event-category.ts'
import type { Reception } from './reception.ts'

/**
 * A part of an envelope that its project filters: not stored, but counted and, if possible, kept as a sample.
 */
export interface FilteredItem {
  reason: FilterReason
  /** Relay's data category. */
  category: string
  quantity: number
  sample: FilterSample
}

/** Input of the filters: an item in the filters' form, and its payload as sent, parsed. */
export interface FilterQuestion {
  subject: FilterSubject
  raw: unknown
}

/** Finds the reason why the project filters an item; undefined when the item is to be stored. */
export function findFilterReason(
  { subject, raw }: FilterQuestion,
  { clientAddress, userAgent, rules }: Reception,
): FilterReason | undefined {
  return filterEvent(subject, rules.filters, {
    raw,
    clientAddress,
    userAgent,
  })
}

/** An event that a filter dropped, for `reason`. */
export function toFilteredEvent(
  { event, payload }: { event: Event; payload: Uint8Array },
  reason: FilterReason,
  { projectId, receivedAt }: Reception,
): FilteredItem {
  const { title, subtitle } = eventTitle(event)
  const category = eventCategory(event.type)
  const sample = {
    projectId,
    reason,
    category,
    receivedAt,
    title: subtitle === '' ? title : cutText(`${title}: ${subtitle}`, limits.titleCharacters),
    environment: event.environment,
    release: event.release,
    eventId: event.eventId,
    traceId: event.traceId,
    payload,
  }
  return { reason, category, quantity: 1, sample }
}

/** The sample of a transaction or a root span, whose payload is not normalized. */
export interface TraceSample {
  subject: FilterSubject
  category: 'transaction' | 'span'
  environment: unknown
  /** As sent by the SDK; omitted unless it is 32 hex digits. */
  eventId?: unknown
  traceId: unknown
  payload: Uint8Array
}

/** A sample of a transaction or root span that was dropped for `reason`; its texts are cut. */
export function toTraceSample(
  { subject, category, environment, payload, ...ids }: TraceSample,
  reason: FilterReason,
  { projectId, receivedAt }: Reception,
): FilterSample {
  const release = firstLine(subject.release ?? '', limits.releaseCharacters)
  const eventId = parseEventId(ids.eventId)
  const traceId = parseEventId(ids.traceId)
  return {
    projectId,
    reason,
    category,
    receivedAt,
    title:
      firstLine(subject.shownTransaction ?? subject.transaction ?? '', limits.titleCharacters) ||
      '<unlabeled transaction>',
    environment: typeof environment === 'string' ? firstLine(environment, limits.environmentCharacters) : '',
    ...(release !== '' && { release }),
    eventId,
    traceId,
    payload,
  }
}

/** The outcome of a filtered item. */
export function toFilteredCount(
  { reason, category, quantity }: Pick<FilteredItem, 'reason' | 'category' | 'quantity'>,
  { projectId, receivedAt }: Reception,
): OutcomeCount {
  return { projectId, category, outcome: 'filtered', reason, quantity, at: receivedAt }
}
