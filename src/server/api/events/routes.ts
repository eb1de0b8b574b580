import * as v from 'valibot'
import { parseEventId } from '#protocol/event-id.ts'
import { answer, answerPage, notFoundAnswer, type ApiAnswer } from '#server/api/api-answer.ts'
import type { ApiCall, ApiRoute } from '#server/api/api-route.ts'
import { findRequestedIssue } from '#server/api/issues/find-issue.ts'
import { findProjectScope, readPageSize } from '#server/api/project-scope.ts'
import { readCursor } from '#server/api/read-cursor.ts'
import { readTimeRange } from '#server/api/time-range.ts'
import { readShownEvent, readStoredEvent } from '#server/console/events/events.ts'
import { findAttachment } from '#server/store/events/attachments.ts'
import { findLatestEvent, findEvent, type EventWithIssue } from '#server/store/events/events.ts'
import { listProjectEvents, projectEventCursors } from '#server/store/events/project-events.ts'
import type { AttachmentSummary } from '#server/store/events/records.ts'
import { eventCursors, listIssueEvents } from '#server/store/issues/event-list.ts'
import { findTransactionEvent } from '#server/store/traces/transaction-events.ts'
import { attachmentAnswer, eventAnswer, eventHeadAnswer } from './answer.ts'
import { readEventTags } from './event-query.ts'
import { toEventHeadJson, toEventJson } from './json.ts'
import { eventLocationAnswer, toTransactionEventJson, transactionEventAnswer } from './transaction-json.ts'

const cursor = 'From the Link header.'
const scope = 'event:read'

/** Events of an issue or a project, and events by id. */
export const eventRoutes: readonly ApiRoute[] = [
  ...['/organizations/{org}/issues/{issue}/events/', '/issues/{issue}/events/'].flatMap(
    (base): ApiRoute[] => [
      {
        method: 'GET',
        path: base,
        scope,
        summary: 'The events of an issue, latest first.',
        query: {
          query: 'Tags, each with one value: `environment:production browser.name:Firefox`.',
          full: '`true`: with the complete payload.',
          environment: 'Only events of it.',
          statsPeriod: 'Only events of the last `24h`, `14d` …',
          start: 'Only events since: ISO 8601, instead of `statsPeriod`.',
          end: 'Only events before.',
          cursor,
          per_page: 'Up to 100.',
        },
        answers: v.array(v.union([eventAnswer, eventHeadAnswer])),
        isPaged: true,
        handle: listEvents,
      },
      {
        method: 'GET',
        path: `${base}{event}/`,
        scope,
        summary: 'One event of an issue: by id, or `latest`, `oldest`, `recommended` or `helpful`.',
        answers: eventAnswer,
        handle: readEventOfIssue,
      },
    ],
  ),
  {
    method: 'GET',
    path: '/projects/{org}/{project}/events/',
    scope,
    summary: 'The events of a project, newest first.',
    query: { full: '`true`: with the complete payload.', cursor, per_page: 'Up to 100.' },
    answers: v.array(v.union([eventAnswer, eventHeadAnswer])),
    isPaged: true,
    handle: listEventsOfProject,
  },
  {
    method: 'GET',
    path: '/projects/{org}/{project}/events/{event}/',
    scope,
    summary: 'One event or transaction of a project, by id.',
    answers: v.union([eventAnswer, transactionEventAnswer]),
    handle: async (call) => {
      const projectScope = await findProjectScope(call)
      const found = projectScope && (await findLocated(call, projectScope.projectIds))
      return found ? answer(found.event) : notFoundAnswer
    },
  },
  {
    method: 'GET',
    path: '/projects/{org}/{project}/events/{event}/attachments/',
    scope,
    summary: 'The attachments of an event.',
    answers: v.array(attachmentAnswer),
    isPaged: true,
    handle: listAttachments,
  },
  {
    method: 'GET',
    path: '/projects/{org}/{project}/events/{event}/attachments/{attachment}/',
    scope,
    summary: 'One attachment; the file itself with `download=1`.',
    query: { download: '`1`: the file.' },
    answers: attachmentAnswer,
    handle: readAttachment,
  },
  {
    method: 'GET',
    path: '/organizations/{org}/eventids/{event}/',
    scope,
    summary: 'Where the event or transaction with an id is.',
    answers: eventLocationAnswer,
    handle: async (call) => {
      const projectScope = await findProjectScope(call)
      const found = projectScope && (await findLocated(call, projectScope.projectIds))
      if (!projectScope || !found) return notFoundAnswer
      return answer({ organizationSlug: projectScope.membership.organizationSlug, ...found })
    },
  },
]

async function listEvents(call: ApiCall): Promise<ApiAnswer> {
  const found = await findRequestedIssue(call)
  if (found === undefined) return notFoundAnswer
  const { issue } = found
  const { searchParams: parameters } = call.url
  const position = readCursor(call.url, eventCursors)
  if (!position.ok) return position.error
  const limit = readPageSize(call.url)
  if (!limit.ok) return limit.error
  const range = readTimeRange(parameters, { now: call.services.clock(), hasPeriod: true })
  if (!range.ok) return range.error
  const searched = readEventTags(parameters.get('query') ?? '')
  if (!searched.ok) return searched.error
  const { start, end } = range.value
  const environment = parameters.get('environment')
  const isFull = isAskedInFull(call)
  const page = await listIssueEvents(call.services.store.db, {
    projectId: issue.project.id,
    issueId: Number(issue.id),
    tags: [...searched.value, ...(environment ? [['environment', environment] as const] : [])],
    limit: limit.value,
    since: start,
    until: end,
    ...position.value,
  })
  const rows = page.events.map((stored) => {
    const event = readStoredEvent(stored)
    return isFull ? toEventJson(event, issue, {}) : toEventHeadJson(event, issue)
  })
  return answerPage(call.url, { ...page, rows })
}

async function listEventsOfProject(call: ApiCall): Promise<ApiAnswer> {
  const [projectId] = (await findProjectScope(call))?.projectIds ?? []
  if (projectId === undefined) return notFoundAnswer
  const position = readCursor(call.url, projectEventCursors)
  if (!position.ok) return position.error
  const limit = readPageSize(call.url)
  if (!limit.ok) return limit.error
  const page = await listProjectEvents(call.services.store.db, {
    projectId,
    limit: limit.value,
    ...position.value,
  })
  const isFull = isAskedInFull(call)
  const rows = page.events.map(({ issue, event: stored }) => {
    const event = readStoredEvent(stored)
    return isFull ? toEventJson(event, issue, {}) : toEventHeadJson(event, issue)
  })
  return answerPage(call.url, { ...page, rows })
}

function isAskedInFull({ url: { searchParams } }: ApiCall): boolean {
  return ['true', '1'].includes(searchParams.get('full') ?? '')
}

async function readEventOfIssue(call: ApiCall): Promise<ApiAnswer> {
  const found = await findRequestedIssue(call)
  if (found === undefined) return notFoundAnswer
  const { issue } = found
  const key = { projectId: issue.project.id, issueId: Number(issue.id) }
  const { db } = call.services.store
  const name = call.params['event'] ?? ''
  const latest = ['latest', 'recommended', 'helpful', 'oldest'].includes(name)
    ? await findLatestEvent(db, key)
    : undefined
  if (latest && name !== 'oldest') return answer(await readJson(call, { issue, event: latest }))
  const id = name === 'oldest' ? latest?.position.firstEventId : name
  const event = id === undefined ? undefined : await findById(call, [key.projectId], id)
  return event?.issue.id === issue.id ? answer(await readJson(call, event)) : notFoundAnswer
}

type IssueEvent = Pick<EventWithIssue, 'issue' | 'event'>

async function findById(
  { services, params }: ApiCall,
  projectIds: readonly number[],
  name = params['event'] ?? '',
): Promise<IssueEvent | undefined> {
  const id = parseEventId(name)
  return id === undefined ? undefined : findEvent(services.store.db, { id, projectIds })
}

/** An event or a transaction with its location. One statement for an event, two for a transaction. */
async function findLocated(
  call: ApiCall,
  projectIds: readonly number[],
): Promise<Omit<v.InferOutput<typeof eventLocationAnswer>, 'organizationSlug'> | undefined> {
  const eventId = parseEventId(call.params['event'] ?? '')
  if (eventId === undefined) return undefined
  const { db } = call.services.store
  const found = await findEvent(db, { id: eventId, projectIds })
  if (found !== undefined) {
    const { id: groupId, project } = found.issue
    return { projectSlug: project.slug, groupId, eventId, event: await readJson(call, found) }
  }
  const stored = await findTransactionEvent(db, { id: eventId, projectIds })
  return (
    stored && {
      projectSlug: stored.project.slug,
      groupId: null,
      eventId,
      event: toTransactionEventJson(stored, eventId),
    }
  )
}

async function listAttachments(call: ApiCall): Promise<ApiAnswer> {
  const projectScope = await findProjectScope(call)
  const found = projectScope && (await findById(call, projectScope.projectIds))
  if (!found) return notFoundAnswer
  return answerPage(call.url, { rows: found.event.attachments.map((each) => toAttachmentJson(found, each)) })
}

async function readAttachment(call: ApiCall): Promise<ApiAnswer> {
  const projectScope = await findProjectScope(call)
  const found = projectScope && (await findById(call, projectScope.projectIds))
  const { attachment } = call.params
  const named = found?.event.attachments.find(({ number }) => String(number) === attachment)
  if (!found || named === undefined) return notFoundAnswer
  if (!call.url.searchParams.has('download')) return answer(toAttachmentJson(found, named))
  const key = { eventId: found.event.eventId, number: named.number, projectIds: [found.issue.project.id] }
  const file = await findAttachment(call.services.store.db, key)
  return file === undefined ? notFoundAnswer : { status: 200, file }
}

function toAttachmentJson(
  { event: { eventId, receivedAt } }: IssueEvent,
  { number, name, contentType, byteCount }: AttachmentSummary,
): v.InferOutput<typeof attachmentAnswer> {
  return {
    id: String(number),
    event_id: eventId,
    name,
    type: 'event.attachment',
    mimetype: contentType,
    headers: { 'Content-Type': contentType },
    size: byteCount,
    dateCreated: new Date(receivedAt).toISOString(),
  }
}

async function readJson({ services }: ApiCall, { issue, event }: IssueEvent) {
  const shown = await readShownEvent(services, event)
  return toEventJson(shown.event, issue, event.position)
}
