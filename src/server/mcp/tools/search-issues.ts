import * as v from 'valibot'
import { readIssueQuery } from '#server/api/issues/query.ts'
import { limits } from '#server/limits.ts'
import { findProjects, toApiCall, toProblem } from '#server/mcp/scope.ts'
import { dataNote, toAnswer, toIssueLine } from '#server/mcp/text.ts'
import { defineTool, ToolError, type ToolCall } from '#server/mcp/tool.ts'
import { issueSorts } from '#server/store/issues/records.ts'
import { listIssues } from '#server/store/issues/search/issue-list.ts'
import { issueCursors } from '#server/store/issues/search/order.ts'

const input = v.object({
  query: v.optional(
    v.pipe(
      v.string(),
      v.description(
        'Search as in the console: `is:unresolved assigned:me environment:production release:web@1.4 level:error age:-24h user.id:7 timeout`. Default: `is:unresolved`.',
      ),
    ),
  ),
  project: v.optional(v.pipe(v.string(), v.description('Slug. Default: all projects.'))),
  sort: v.optional(v.picklist(issueSorts)),
  limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(limits.agentRows))),
  cursor: v.optional(v.pipe(v.string(), v.description('From the previous page.'))),
})

export const searchIssues = defineTool({
  name: 'search_issues',
  description:
    'Finds issues by a search, last seen first by default. To find one by an id, a digest or a URL, call `find`.',
  scope: 'event:read',
  input,
  handle,
})

async function handle(call: ToolCall, { query, project, sort, limit, cursor }: v.InferOutput<typeof input>) {
  const projects = await findProjects(call, project)
  const apiCall = toApiCall(call, { query: { query } })
  const read = readIssueQuery(apiCall, { query: 'is:unresolved', projects, hasPeriod: false })
  if (!read.ok) throw new ToolError(toProblem(read.error))
  const order = sort ?? 'last_seen'
  if (cursor !== undefined && issueCursors(order).parse(cursor) === undefined)
    throw new ToolError('Invalid cursor for this search: omit it for the first page.')
  const { filter, statuses } = read.value
  const page = await listIssues(call.services.store.db, {
    ...filter,
    statuses,
    counted: statuses,
    sort: order,
    bars: '24h',
    limit: limit ?? limits.agentRows,
    cursor,
  })
  const { publicOrigin: origin } = call.services
  if (page.issues.length === 0 && page.nextCursor === undefined) return 'No issue matches.'
  const counts = statuses.map((status) => page.counts[status])
  const count = counts.reduce((sum, each) => sum + each.count, 0)
  const isMore = counts.some((each) => each.isMore)
  return toAnswer(
    [
      `# Issues: ${count}${isMore ? ' or more' : ''}`,
      dataNote,
      ...page.issues.map((issue) => toIssueLine(issue, origin)),
      page.nextCursor === undefined
        ? ''
        : `More: call search_issues with the same search and cursor \`${page.nextCursor}\`.`,
    ],
    'Call search_issues with a smaller limit.',
  )
}
