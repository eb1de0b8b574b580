import * as v from 'valibot'
import { parseEventId } from '#protocol/event-id.ts'
import { reachableProjects } from '#server/auth/viewer.ts'
import { listDigestView, readShownEvent } from '#server/console/events/events.ts'
import { eventParts, toEventPart } from '#server/console/events/markdown-parts.ts'
import { inlineCode } from '#server/console/events/markdown-text.ts'
import { toEventFacts } from '#server/console/events/markdown.ts'
import { limits } from '#server/limits.ts'
import { findNamedIssue, issueName } from '#server/mcp/scope.ts'
import { agentBounds, dataNote, isoTime, toAnswer } from '#server/mcp/text.ts'
import { defineTool, ToolError, type ToolCall } from '#server/mcp/tool.ts'
import { findEvent, type EventWithIssue } from '#server/store/events/events.ts'
import { eventCursors, listIssueEvents } from '#server/store/issues/event-list.ts'

const eventInput = v.object({
  event: v.pipe(v.string(), v.maxLength(300), v.description('Event id, digest or trace id.')),
  part: v.optional(
    v.pipe(v.picklist(eventParts), v.description('Only this part, without the bounds of the overview.')),
  ),
})

export const getEvent = defineTool({
  name: 'get_event',
  description:
    'One event: stack trace (frames of libraries folded), source around the newest own frames with variables, breadcrumbs, tags. Other parts by `part`.',
  scope: 'event:read',
  input: eventInput,
  handle: answerEvent,
})

async function answerEvent(
  call: ToolCall,
  { event: name, part }: v.InferOutput<typeof eventInput>,
): Promise<string> {
  const { issue, event: stored } = await findNamedEvent(call, name)
  const { event } = await readShownEvent(call.services, stored)
  const { publicOrigin: origin } = call.services
  const head = [
    `# Event of ${issue.shortId}: ${inlineCode(issue.title)}`,
    dataNote,
    toEventFacts(event, origin),
  ]
  if (part !== undefined) {
    const bounds = {
      ...agentBounds,
      showsVariables: true,
      foldsLibraries: false,
      breadcrumbs: 100,
      sourceFrames: 20,
    }
    const text = toEventPart(event, part, {
      ...bounds,
      blockCharacters: limits.agentAnswerCharacters - 2_000,
    })
    return toAnswer([...head.slice(0, 2), text === '' ? `The event has no ${part}.` : text], '')
  }
  const parts = (['stack', 'source', 'breadcrumbs', 'tags', 'request'] as const).map((each) =>
    toEventPart(event, each, { ...agentBounds, showsVariables: true }),
  )
  const { previousEventId, nextEventId } = stored.position
  const neighbours = [
    previousEventId === undefined ? '' : `Previous event of the issue: \`${previousEventId}\`.`,
    nextEventId === undefined ? '' : `Next: \`${nextEventId}\`.`,
  ]
  return toAnswer(
    [...head, neighbours.join(' ').trim(), ...parts],
    `Call get_event with a part: ${eventParts.join(', ')}.`,
  )
}

async function findNamedEvent(call: ToolCall, name: string): Promise<EventWithIssue> {
  const projectIds = reachableProjects(call.viewer)
  const text = /\/events\/([\w-]+)/.exec(name)?.[1] ?? name.trim()
  const id = parseEventId(text)
  const { db } = call.services.store
  const found = id === undefined ? undefined : await findEvent(db, { id, projectIds })
  if (found !== undefined) return found
  const { matches } = await listDigestView(call.services, call.viewer, text)
  const [match] = matches
  const byDigest = match && (await findEvent(db, { id: match.eventId, projectIds }))
  if (byDigest === undefined) throw new ToolError('Event not found. Call find for the reason.')
  return byDigest
}

const listInput = v.object({
  issue: issueName,
  environment: v.optional(v.string()),
  limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(limits.agentRows))),
  cursor: v.optional(v.pipe(v.string(), v.description('From the previous page.'))),
})

export const listEvents = defineTool({
  name: 'list_events',
  description: 'Lists the events of an issue, latest first: id, time, environment, release.',
  scope: 'event:read',
  input: listInput,
  handle: answerEventList,
})

async function answerEventList(
  call: ToolCall,
  { issue: name, environment, limit, cursor }: v.InferOutput<typeof listInput>,
): Promise<string> {
  if (cursor !== undefined && eventCursors.parse(cursor) === undefined)
    throw new ToolError('Invalid cursor for this list: omit it for the first page.')
  const issue = await findNamedIssue(call, name)
  const page = await listIssueEvents(call.services.store.db, {
    projectId: issue.project.id,
    issueId: Number(issue.id),
    tags: environment === undefined ? [] : [['environment', environment]],
    limit: limit ?? limits.agentRows,
    ...(cursor !== undefined && { cursor }),
  })
  const lines = page.events.map(({ eventId, occurredAt, level, environment: at, release }) => {
    const parts = [`\`${eventId}\``, isoTime(occurredAt), level, inlineCode(at), inlineCode(release ?? '')]
    return `- ${parts.filter((part) => part !== '').join(', ')}`
  })
  if (lines.length === 0) return `${issue.shortId} has no stored event of this selection.`
  const next =
    page.nextCursor === undefined ? '' : `More: call list_events with cursor \`${page.nextCursor}\`.`
  return toAnswer(
    [`# Events of ${issue.shortId}`, dataNote, lines.join('\n'), next],
    'Request fewer with limit.',
  )
}
