import type { McpTool } from './tool.ts'
import { commentIssue, updateIssue } from './tools/changes.ts'
import { getEvent, listEvents } from './tools/events.ts'
import { find } from './tools/find.ts'
import { getIssue, getTagValues } from './tools/issues.ts'
import { listProjects } from './tools/projects.ts'
import { getRelease } from './tools/release.ts'
import { searchIssues } from './tools/search-issues.ts'

/** Every tool, in the order in which clients list them. */
export const mcpTools: readonly McpTool[] = [
  find,
  searchIssues,
  getIssue,
  getEvent,
  listEvents,
  getTagValues,
  getRelease,
  listProjects,
  updateIssue,
  commentIssue,
]
