import { parseEventId } from '#protocol/event-id.ts'
import type { Event } from '#protocol/event.ts'
import { parsePayloadJson } from '#protocol/payload-json.ts'
import { projectsWith, reachableProjects, type Viewer } from '#server/auth/viewer.ts'
import { toChoicesView } from '#server/console/issues/triage.ts'
import { toSmallTrace } from '#server/console/traces/small-trace.ts'
import { markByRules } from '#server/group/rules/apply-rules.ts'
import { parseGroupingRules } from '#server/group/rules/grouping-rules.ts'
import { limits } from '#server/limits.ts'
import { normalizeEvent } from '#server/normalize/normalize-event.ts'
import type { Services } from '#server/services.ts'
import { toMappedEvent } from '#server/source-maps/mapped-event.ts'
import { findEvent, findEventsByDigest, type StoredEvent } from '#server/store/events/events.ts'
import { findExpiredEvent } from '#server/store/events/expired-digests.ts'
import { listTraceEvents } from '#server/store/events/trace.ts'
import { listTagDistributions } from '#server/store/issues/tags.ts'
import { findFilterSamples, type StoredFilterSample } from '#server/store/outcomes/filter-samples.ts'
import { listSegmentsOfEvent } from '#server/store/traces/traces.ts'
import { findTraceById } from '#server/store/traces/transaction-events.ts'
import { readIssueChoices } from '#server/store/triage/choices.ts'
import { linkFrames } from '#source-links/linked-event.ts'
import { parseIdStart } from './id-start.ts'
import type { DigestView, DroppedItem, EventPageView, EventView } from './views.ts'

/** An event by its id, in any project. Undefined if it does not exist. */
export async function findEventView(
  services: Services,
  viewer: Viewer,
  eventId: string,
): Promise<EventPageView | undefined> {
  const { db } = services.store
  const id = parseEventId(eventId)
  const projectIds = reachableProjects(viewer)
  const found = id === undefined ? undefined : await findEvent(db, { id, projectIds })
  if (found === undefined) return undefined
  const { issue, event } = found
  const [choices, tags, traceEvents, segments] = await Promise.all([
    readIssueChoices(db, issue.project.id),
    listTagDistributions(db, { projectId: issue.project.id, issueId: Number(issue.id) }),
    listTraceEvents(db, event, projectIds),
    listSegmentsOfEvent(db, event, projectIds),
  ])
  const parts = await readEventParts(services, event)
  return {
    now: services.clock(),
    issue,
    canTriage: projectsWith(viewer, 'triage').includes(issue.project.id),
    choices: toChoicesView(choices, viewer, issue.project.id),
    tags,
    traceEvents,
    trace: toSmallTrace(segments, parts.event),
    ...parts,
  }
}

/** The URL of the trace that contains a transaction, at its span; undefined if no transaction has this id. */
export async function findTraceHref(
  { store }: Pick<Services, 'store'>,
  viewer: Viewer,
  eventId: string,
): Promise<string | undefined> {
  const id = parseEventId(eventId)
  if (id === undefined) return undefined
  const trace = await findTraceById(store.db, { id, projectIds: reachableProjects(viewer) })
  if (trace === undefined) return undefined
  const { traceId, spanId } = trace
  return spanId === undefined ? `/traces/${traceId}` : `/traces/${traceId}?span=${spanId}`
}

/**
 * The events that a code can identify: an event id (with or without dashes) or its beginning, a trace id, or
 * the digest of another framework. If there are none, the trace with this id or with a transaction of it,
 * whether retention has deleted the event, and whether a filter has dropped it. At most three rounds of
 * statements.
 */
export async function listDigestView(
  services: Pick<Services, 'store' | 'clock'>,
  viewer: Viewer,
  digest: string,
): Promise<DigestView> {
  const projectIds = reachableProjects(viewer)
  const { db } = services.store
  const base = { now: services.clock(), digest }
  const id = parseIdStart(digest)
  const matches = await findEventsByDigest(db, { id, digest, projectIds })
  if (matches.length > 0 || id === undefined) return { ...base, matches }
  const [trace, expired] = await Promise.all([
    findTraceById(db, { id, projectIds }),
    findExpiredEvent(db, { id, projectIds }),
  ])
  if (trace !== undefined) return { ...base, matches, trace }
  if (expired !== undefined) return { ...base, matches, expired }
  const dropped = await findFilterSamples(db, { id, projectIds })
  return { ...base, matches, ...(dropped.length > 0 && { dropped: dropped.map(toDroppedItem) }) }
}

function toDroppedItem({ id, project, reason, title, receivedAt }: StoredFilterSample): DroppedItem {
  return { sampleId: id, projectName: project.name, reason, title, receivedAt }
}

/** The view of a stored event. */
export async function readEventParts(
  services: Pick<Services, 'sourceMaps'>,
  stored: StoredEvent,
): Promise<Omit<EventView, 'now' | 'issue' | 'traceEvents' | 'trace'>> {
  const { position, attachments, feedback, aboutEventId, isTraceSampled } = stored
  return {
    ...(await readShownEvent(services, stored)),
    position,
    attachments,
    feedback,
    aboutEventId,
    isTraceSampled,
  }
}

type EventBytes = Pick<StoredEvent, 'eventId' | 'occurredAt' | 'receivedAt' | 'clientAddress' | 'payload'>

/** An event as a screen shows it. */
export type ShownEvent = Pick<EventView, 'event' | 'sourceMapProblems'>

/**
 * A stored event with its frames mapped to their sources by the currently stored source maps, even if the
 * event arrived before its maps. Reading the maps takes at most `limits.sourceMapShowMs`, in addition to the
 * statements of the page.
 */
export async function readMappedEvent(
  { sourceMaps }: Pick<Services, 'sourceMaps'>,
  stored: EventBytes & Pick<StoredEvent, 'projectId'>,
): Promise<ShownEvent> {
  const payload = readPayload(stored)
  const event = toEvent(stored, payload)
  const { locations, problems } = await sourceMaps.findLocations({
    projectId: stored.projectId,
    event,
    payload,
    waitMs: limits.sourceMapShowMs,
  })
  return { event: toMappedEvent(event, locations), sourceMapProblems: problems }
}

/**
 * The same event, with in-app frames by the project's current rules, and with the URLs of their lines in its
 * code host.
 */
export async function readShownEvent(
  services: Pick<Services, 'sourceMaps'>,
  stored: StoredEvent,
): Promise<ShownEvent> {
  const { event, ...shown } = await readMappedEvent(services, stored)
  const { projectSettings, commit } = stored
  const marked = markByRules(event, parseGroupingRules(projectSettings.grouping))
  return { ...shown, event: linkFrames(marked, projectSettings.sourceLinks, commit) }
}

/**
 * Normalizes a stored event. The received bytes are stored, so the current version of normalization applies,
 * not that of the event's arrival.
 */
export function readStoredEvent(stored: EventBytes): Event {
  return toEvent(stored, readPayload(stored))
}

function readPayload({ payload }: EventBytes): unknown {
  const parsed = parsePayloadJson(payload)
  return parsed.ok ? parsed.value : {}
}

function toEvent({ eventId, occurredAt, receivedAt, clientAddress }: EventBytes, payload: unknown): Event {
  return normalizeEvent(payload, {
    eventId,
    occurredAt,
    receivedAt,
    clientAddress,
  })
}
