import { itemCategory } from '#protocol/data-category.ts'
import type { EnvelopeItem } from '#protocol/envelope.ts'
import { parseEventId } from '#protocol/event-id.ts'
import { isJsonObject, type JsonObject } from '#protocol/json.ts'
import { parsePayloadJson } from '#protocol/payload-json.ts'
import { toEventResult, type ParsedEvent } from '#server/ingest/items/event.ts'
import { withNativeCrash } from '#server/ingest/items/native-crash.ts'
import { nextEventId, readReports } from '#server/ingest/items/security-report.ts'
import { isTraceSampled } from '#server/ingest/items/trace-record.ts'
import { parseUserReport } from '#server/ingest/items/user-report.ts'
import { limits } from '#server/limits.ts'
import { addTransactionEvent } from './add-traces.ts'
import type { EnvelopeState } from './envelope-state.ts'

/** Adds an error, a message, feedback or a security event. An envelope has at most one (Relay's rule). */
export function addEvent(state: EnvelopeState, item: EnvelopeItem): void {
  if (state.hasEvent) {
    state.lose(item, 'duplicate_item')
    return
  }
  const { cache, createEventId } = state.context
  const json = cache?.frames.parsePayload(item.payload) ?? parsePayloadJson(item.payload)
  const value = json.ok ? json.value : undefined
  const eventId = state.envelope.header.eventId ?? payloadEventId(value) ?? createEventId()
  state.eventId ??= eventId
  if (!isJsonObject(value)) state.lose(item, 'invalid_json')
  else if (itemCategory(item.type) === 'feedback' && !hasFeedbackText(value)) state.lose(item, 'no_data')
  else {
    const { payload } = item
    addParsedEvent(state, { eventId, ...withNativeCrash({ value, payload }, state.envelope.items) })
  }
}

/** Counts an event that exceeds a size limit. */
export function rejectLargeEvent(state: EnvelopeState, item: EnvelopeItem): void {
  state.isEventTooLarge = true
  state.requireEventId()
  state.lose(item, 'too_large')
}

/** Adds the reports of a browser: one report, or a list of reports, each of which creates an event. */
export function addSecurityReports(state: EnvelopeState, item: EnvelopeItem): void {
  let eventId = state.requireEventId()
  const { events, lost } = readReports(item, state.context)
  for (const { reason, quantity } of lost) state.lose(item, reason, quantity)
  if (state.hasEvent) {
    state.lose(item, 'duplicate_item', events.length)
    return
  }
  for (const value of events) {
    const ownId = eventId
    state.guard(item, () => addParsedEvent(state, { eventId: ownId, value, payload: toPayload(value) }))
    eventId = nextEventId(eventId)
  }
}

/** Adds a user's report about an event, in addition to the envelope's own event. */
export function addUserReport(state: EnvelopeState, item: EnvelopeItem): void {
  state.userReportCount += 1
  if (state.userReportCount > limits.userReportsPerEnvelope) {
    state.lose(item, 'too_large')
    return
  }
  const json = parsePayloadJson(item.payload)
  const report = parseUserReport(json.ok ? json.value : undefined, state.envelope.header.eventId)
  if (!report.ok) {
    state.lose(item, report.reason)
    return
  }
  const { eventId, value } = report
  const result = toEventResult({ eventId, value, payload: toPayload(value) }, state.context)
  if (result.kind === 'stored') state.work.events.push(result.record)
  else if (result.kind === 'filtered') state.addFiltered(result.item)
}

function addParsedEvent(state: EnvelopeState, parsed: ParsedEvent): void {
  const { header } = state.envelope
  const { sentAt } = header
  const result = toEventResult({ ...parsed, sentAt, isTraceSampled: isTraceSampled(header) }, state.context)
  switch (result.kind) {
    case 'stored':
      state.hasEvent = true
      state.work.events.push(result.record)
      break
    case 'filtered':
      state.hasEvent = result.item.category !== 'transaction'
      state.filtered ??= result.item
      state.addFiltered(result.item)
      break
    case 'transaction':
      addTransactionEvent(state, parsed.value)
      break
  }
}

function toPayload(value: JsonObject): Buffer {
  return Buffer.from(JSON.stringify(value))
}

function payloadEventId(value: unknown): string | undefined {
  return isJsonObject(value) ? parseEventId(value['event_id']) : undefined
}

function hasFeedbackText({ contexts }: JsonObject): boolean {
  const feedback = isJsonObject(contexts) ? contexts['feedback'] : undefined
  const message = isJsonObject(feedback) ? feedback['message'] : undefined
  return typeof message === 'string' && message.trim() !== ''
}
