import * as v from 'valibot'
import { percentText } from '#numbers/number-text.ts'
import { readShownEvent } from '#server/console/events/events.ts'
import { eventParts, toEventPart } from '#server/console/events/markdown-parts.ts'
import { inlineCode } from '#server/console/events/markdown-text.ts'
import { counted, toEventFacts, toIssueFacts, toSuspectList } from '#server/console/events/markdown.ts'
import { readSuspectCommits } from '#server/console/issues/suspects.ts'
import { limits } from '#server/limits.ts'
import { findNamedIssue, issueName } from '#server/mcp/scope.ts'
import { agentBounds, dataNote, isoTime, listed, quoted, toAnswer } from '#server/mcp/text.ts'
import { defineTool, ToolError, type ToolCall } from '#server/mcp/tool.ts'
import {
  findEvent,
  findLatestEvent,
  type EventWithIssue,
  type StoredEvent,
} from '#server/store/events/events.ts'
import type { IssueSummary, TagDistribution } from '#server/store/issues/records.ts'
import { findTagDistribution, listTagDistributions } from '#server/store/issues/tags.ts'
import { listIssueComments } from '#server/store/triage/comment-list.ts'

const issueInput = v.object({
  issue: issueName,
  event: v.optional(v.pipe(v.picklist(['latest', 'oldest']), v.description('Default: latest.'))),
  detail: v.optional(
    v.pipe(
      v.picklist(['brief', 'full']),
      v.description('`full`: request, contexts and additional data, too.'),
    ),
  ),
})

export const getIssue = defineTool({
  name: 'get_issue',
  description:
    'The whole context of an issue in one call: state, counts, releases, assignee, comments, tags, and its latest event with stack trace, source, variables and breadcrumbs.',
  scope: 'event:read',
  input: issueInput,
  handle: answerIssue,
})

async function answerIssue(call: ToolCall, input: v.InferOutput<typeof issueInput>): Promise<string> {
  const issue = await findNamedIssue(call, input.issue)
  const { db } = call.services.store
  const key = { projectId: issue.project.id, issueId: Number(issue.id) }
  const [comments, tags, stored] = await Promise.all([
    listIssueComments(db, key),
    listTagDistributions(db, key),
    findEventOf(call, issue, input.event ?? 'latest'),
  ])
  const { publicOrigin: origin } = call.services
  const quotes = comments.slice(0, limits.agentComments).map(({ by, at, text }) => {
    return `${inlineCode(by?.name ?? 'A deleted account')}, ${isoTime(at)}:\n\n${quoted(text)}`
  })
  const assignee = issue.assignee?.name
  return toAnswer(
    [
      `# ${issue.shortId}: ${inlineCode(issue.title)}`,
      dataNote,
      issue.subtitle === '' ? '' : quoted(issue.subtitle),
      toIssueFacts(issue, origin),
      assignee === undefined ? '' : `Assigned to ${inlineCode(assignee)}.`,
      ...(stored === undefined
        ? ['None of its events is stored any more.']
        : await toEventParagraphs(call, { issue, event: stored }, input)),
      ...(quotes.length === 0 ? [] : ['## Comments', ...quotes]),
      ...(tags.length === 0 ? [] : ['## Tags of all events', ...tags.map(toTagLine)]),
    ],
    `Call get_event with the event’s id and a part (${eventParts.join(', ')}), or get_tag_values.`,
  )
}

async function toEventParagraphs(
  call: ToolCall,
  found: EventWithIssue,
  { detail }: v.InferOutput<typeof issueInput>,
): Promise<string[]> {
  const { event } = await readShownEvent(call.services, found.event)
  const suspects = await readSuspectCommits(call.services, { ...found, shown: event })
  const parts = detail === 'full' ? eventParts : (['stack', 'source', 'breadcrumbs'] as const)
  const bounds = { ...agentBounds, showsVariables: true }
  return [
    toEventFacts(event, call.services.publicOrigin),
    toSuspectList(suspects),
    ...parts.map((part) => toEventPart(event, part, bounds)),
  ]
}

async function findEventOf(
  { services: { store } }: ToolCall,
  { id, project }: IssueSummary,
  which: 'latest' | 'oldest',
): Promise<StoredEvent | undefined> {
  const latest = await findLatestEvent(store.db, { projectId: project.id, issueId: Number(id) })
  if (which === 'latest' || latest === undefined) return latest
  const first = { id: latest.position.firstEventId, projectIds: [project.id] }
  return (await findEvent(store.db, first))?.event
}

/** `- browser: Firefox 60%, Chrome 40% (2 values)`. */
function toTagLine({ key, eventCount, valueCount, values }: TagDistribution): string {
  const shares = values
    .slice(0, 3)
    .map(
      ({ value, eventCount: count }) =>
        `${inlineCode(value.slice(0, 100))} ${percentText(count, eventCount)}`,
    )
  return `- ${inlineCode(key)}: ${shares.join(', ')} (${counted(valueCount, 'value')})`
}

const tagInput = v.object({
  issue: issueName,
  key: v.pipe(v.string(), v.maxLength(200), v.description('`environment`, `browser.name`, `url` …')),
})

export const getTagValues = defineTool({
  name: 'get_tag_values',
  description: 'The values of one tag over all events of an issue, most frequent first.',
  scope: 'event:read',
  input: tagInput,
  handle: answerTagValues,
})

async function answerTagValues(
  call: ToolCall,
  { issue: name, key }: v.InferOutput<typeof tagInput>,
): Promise<string> {
  const issue = await findNamedIssue(call, name)
  const selected = { projectId: issue.project.id, issueId: Number(issue.id) }
  const { db } = call.services.store
  const tag = await findTagDistribution(db, { ...selected, key })
  if (tag === undefined) {
    const keys = (await listTagDistributions(db, selected)).map((each) => inlineCode(each.key))
    throw new ToolError(
      `${dataNote}\n\n${issue.shortId} has no tag ${inlineCode(key)}. It has: ${listed(keys)}.`,
    )
  }
  const lines = tag.values.slice(0, 4 * limits.agentRows).map(({ value, eventCount, lastSeenAt }) => {
    return `- ${inlineCode(value)}: ${counted(eventCount, 'event')}, last ${isoTime(lastSeenAt)}`
  })
  const rest = tag.values.length - lines.length
  return toAnswer(
    [
      `# ${inlineCode(key)} of ${issue.shortId}: ${counted(tag.valueCount, 'value')} in ${counted(tag.eventCount, 'event')}`,
      dataNote,
      ...lines,
      rest > 0 ? `${rest} more values with fewer events.` : '',
    ],
    'They have fewer events.',
  )
}
