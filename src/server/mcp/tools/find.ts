import * as v from 'valibot'
import { findDirectTarget } from '#search/direct-target.ts'
import { listDigestView } from '#server/console/events/events.ts'
import { inlineCode } from '#server/console/events/markdown-text.ts'
import { findNamedIssue } from '#server/mcp/scope.ts'
import { dataNote, isoTime, toAnswer, toIssueLine } from '#server/mcp/text.ts'
import { defineTool, type ToolCall } from '#server/mcp/tool.ts'

const input = v.object({
  text: v.pipe(
    v.string(),
    v.maxLength(300),
    v.description(
      'A digest of a failure page, an event id or its first 12 digits, a trace id, `SHOP-1A`, or a URL.',
    ),
  ),
})

export const find = defineTool({
  name: 'find',
  description:
    'Finds what an identifier means: the event behind the digest that a person saw on a failure page, an event, a trace, an issue.',
  scope: 'event:read',
  input,
  handle,
})

async function handle(call: ToolCall, { text }: v.InferOutput<typeof input>): Promise<string> {
  const target = findDirectTarget(text)
  const { publicOrigin: origin } = call.services
  if (target?.kind === 'issue' || target?.kind === 'shortId')
    return toAnswer(['# Issue', dataNote, toIssueLine(await findNamedIssue(call, text), origin)], '')
  const digest =
    target?.kind === 'event' ? target.eventId : target?.kind === 'digest' ? target.digest : text.trim()
  const { matches, trace, expired, dropped } = await listDigestView(call.services, call.viewer, digest)
  if (matches.length > 0) {
    const lines = matches.map(({ eventId, issueId, project, title, occurredAt }) => {
      const context = `${project.slug}, ${isoTime(occurredAt)}`
      return `- Event \`${eventId}\` of issue \`${issueId}\`: ${inlineCode(title)}, ${context}, ${origin}/events/${eventId}`
    })
    return toAnswer(['# Events', dataNote, lines.join('\n'), 'Call get_event or get_issue for more.'], '')
  }
  if (trace !== undefined)
    return `No event has this identifier. It belongs to a trace: ${origin}/traces/${trace.traceId}`
  if (expired !== undefined)
    return `There was such an event in the project ${inlineCode(expired.projectName)}. It was deleted on ${isoTime(expired.expiredAt)} (${expired.reason}).`
  const [first] = dropped ?? []
  if (first !== undefined)
    return `There was such an event in the project ${inlineCode(first.projectName)} on ${isoTime(first.receivedAt)}. The filter ${first.reason} dropped it: ${inlineCode(first.title)}.\n\n${dataNote}`
  return 'Nothing has this identifier. For a text, call search_issues.'
}
