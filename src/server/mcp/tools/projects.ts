import * as v from 'valibot'
import { inlineCode } from '#server/console/events/markdown-text.ts'
import { findProjects } from '#server/mcp/scope.ts'
import { toAnswer } from '#server/mcp/text.ts'
import { defineTool, type ToolCall } from '#server/mcp/tool.ts'

export const listProjects = defineTool({
  name: 'list_projects',
  description: 'Lists the projects: slug, name and platform. The slug is what other tools take as `project`.',
  scope: 'event:read',
  input: v.object({}),
  handle,
})

async function handle(call: ToolCall): Promise<string> {
  const projects = await findProjects(call)
  if (projects.length === 0) return 'There are no projects.'
  const lines = projects.map(({ slug, name, platform }) => {
    const known = platform === undefined || platform === '' ? '' : `, ${inlineCode(platform)}`
    return `- **${slug}**: ${inlineCode(name)}${known}`
  })
  return toAnswer(['# Projects', ...lines], 'Other tools accept their slugs, too.')
}
