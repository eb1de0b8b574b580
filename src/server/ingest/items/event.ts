import type { Event } from '#protocol/event.ts'
import type { JsonObject } from '#protocol/json.ts'
import { groupByRules } from '#server/group/rules/apply-rules.ts'
import { limits } from '#server/limits.ts'
import { eventCulprit } from '#server/normalize/culprit.ts'
import { eventTraits } from '#server/normalize/event-traits.ts'
import { indexedTags } from '#server/normalize/fields/tags.ts'
import { furtherText } from '#server/normalize/further-text.ts'
import { normalizeEvent } from '#server/normalize/normalize-event.ts'
import { firstLine } from '#server/normalize/text.ts'
import { eventTitle } from '#server/normalize/title.ts'
import { userIdentity } from '#server/normalize/user-identity.ts'
import { toMappedEvent } from '#server/source-maps/mapped-event.ts'
import type { EventRecord, FeedbackRecord } from '#server/store/ingest/records.ts'
import { eventCategory } from './event-category.ts'
import { findFilterReason, toFilteredEvent, type FilteredItem } from './filtered.ts'
import { findForeignDigests } from './foreign-digests.ts'
import type { Reception } from './reception.ts'
import { isScrubbedInVariablesOnly } from './scrubbed-variables.ts'
import { scrubItem } from './scrubbed.ts'

/** An event item whose JSON has been parsed. */
export interface ParsedEvent {
  eventId: string
  value: JsonObject
  /** The bytes from which `value` was parsed. */
  payload: Uint8Array
  /** When it was sent, by the sender's clock. Unix milliseconds. */
  sentAt?: number
  /** See `isTraceSampled`. */
  isTraceSampled?: boolean | undefined
}

/**
 * The result of an event item: it is stored, dropped by a filter, or a transaction, which creates no issue.
 */
export type EventResult =
  | { kind: 'stored'; record: EventRecord }
  | { kind: 'filtered'; item: FilteredItem }
  | { kind: 'transaction' }

/**
 * Decides the outcome of one event. Filters receive it as sent; everything that is stored, including samples,
 * is scrubbed. Pure.
 */
export function toEventResult(parsed: ParsedEvent, reception: Reception): EventResult {
  const { value } = parsed
  const sent = normalizeSent(parsed, reception)
  const reason = findFilterReason({ subject: sent, raw: value }, reception)
  if (reason === undefined && sent.type === 'transaction') return { kind: 'transaction' }
  const { scrubPlan } = reception.rules
  const item = scrubItem(parsed, scrubPlan, reception.cache)
  const kept = scrubPlan.removesAddresses ? withoutAddress(reception) : reception
  const isAsSent =
    kept === reception && (item.value === value || isScrubbedInVariablesOnly(value, item.value))
  const event = isAsSent ? sent : normalizeSent({ ...parsed, ...item }, kept)
  const { payload } = item
  if (reason !== undefined)
    return { kind: 'filtered', item: toFilteredEvent({ event, payload }, reason, kept) }
  const { mappedLocations } = reception
  const mapped = mappedLocations === undefined ? event : toMappedEvent(event, mappedLocations)
  const record = toEventRecord({ event: mapped, payload }, kept)
  if (parsed.isTraceSampled !== undefined) record.isTraceSampled = parsed.isTraceSampled
  return { kind: 'stored', record }
}

function normalizeSent(
  { eventId, value, sentAt }: ParsedEvent,
  { receivedAt, clientAddress, userAgent, cache }: Reception,
): Event {
  return normalizeEvent(value, {
    eventId,
    receivedAt,
    isForIndex: true,
    sentAt,
    clientAddress,
    userAgent,
    cache,
  })
}

function withoutAddress({ clientAddress: _clientAddress, ...reception }: Reception): Reception {
  return reception
}

/** Builds the stored form of an event: titled, tagged and grouped. */
function toEventRecord(
  { event: sent, payload }: { event: Event; payload: Uint8Array },
  { projectId, clientAddress, rules, cache }: Reception,
): EventRecord {
  const { event, grouping, title: ruledTitle } = groupByRules(sent, rules.grouping, cache?.frames)
  const userKey = userIdentity(event)
  const feedback = toFeedbackRecord(event)
  const title =
    ruledTitle === undefined
      ? eventTitle(event)
      : { title: firstLine(ruledTitle, limits.titleCharacters), subtitle: '' }
  const message = furtherText(event, title)
  // Field by field: object spreads, one for each field that may be absent, take several times as long.
  const record: EventRecord = {
    projectId,
    eventId: event.eventId,
    category: eventCategory(event.type),
    groupHash: grouping.hash,
    mechanism: grouping.mechanism,
    type: event.type,
    title: title.title,
    subtitle: title.subtitle,
    culprit: eventCulprit(event),
    level: event.level,
    platform: event.platform,
    occurredAt: event.occurredAt,
    receivedAt: event.receivedAt,
    environment: event.environment,
    digests: findForeignDigests(event),
    tags: indexedTags(event),
    traits: eventTraits(event),
    payload,
  }
  if (grouping.earlierHash !== undefined) record.earlierGroupHash = grouping.earlierHash
  if (message !== '') record.message = message
  if (userKey !== undefined) record.userKey = userKey
  if (clientAddress !== undefined) record.clientAddress = clientAddress
  if (feedback !== undefined) record.feedback = feedback
  const { spikeProtection } = rules.settings
  if (spikeProtection.isOn) record.spikeProtection = spikeProtection
  addSentFields(record, event)
  return record
}

/** Optional fields, which the store keeps unchanged. */
function addSentFields(record: EventRecord, { logger, release, transaction, traceId }: Event): void {
  if (logger !== undefined) record.logger = logger
  if (release !== undefined) record.release = release
  if (transaction !== undefined) record.transaction = transaction
  if (traceId !== undefined) record.traceId = traceId
}

/** The feedback that the event contains about another event, for the page of that event. */
function toFeedbackRecord({ feedback, eventId }: Event): FeedbackRecord | undefined {
  const aboutEventId = feedback?.aboutEventId
  if (feedback === undefined || aboutEventId === undefined || aboutEventId === eventId) return undefined
  return { aboutEventId, name: feedback.name ?? '', email: feedback.email ?? '', message: feedback.message }
}
