import * as v from 'valibot'
import { shareLeftText } from '#numbers/number-text.ts'
import { inlineCode } from '#server/console/events/markdown-text.ts'
import { limits } from '#server/limits.ts'
import { findProjects } from '#server/mcp/scope.ts'
import { dataNote, isoTime, toAnswer, toIssueLine } from '#server/mcp/text.ts'
import { defineTool, ToolError, type ToolCall } from '#server/mcp/tool.ts'
import { listReleaseCommits } from '#server/store/releases/commits.ts'
import { healthKey, readSessionTotals } from '#server/store/releases/health.ts'
import { findReleases, listIssuesOfRelease } from '#server/store/releases/releases.ts'
import { toReleaseSummary } from '#server/store/releases/row.ts'

const input = v.object({
  version: v.pipe(v.string(), v.maxLength(limits.releaseCharacters)),
  project: v.optional(
    v.pipe(v.string(), v.description('Slug. Default: the project with the latest event of it.')),
  ),
})

export const getRelease = defineTool({
  name: 'get_release',
  description:
    'A release: dates, deploy, crash-free sessions, commits, and the issues that are new or regressed in it.',
  scope: 'event:read',
  input,
  handle,
})

async function handle(call: ToolCall, { version, project }: v.InferOutput<typeof input>): Promise<string> {
  const projects = await findProjects(call, project)
  const { db } = call.services.store
  const [row] = await findReleases(db, { version, projectIds: projects.map(({ id }) => id) })
  if (row === undefined) throw new ToolError(`There is no release ${inlineCode(version)} in these projects.`)
  const release = toReleaseSummary(row)
  const key = { projectId: release.project.id, version }
  const [commits, issues, totals] = await Promise.all([
    listReleaseCommits(db, { ...key, limit: limits.agentRows }),
    listIssuesOfRelease(db, key),
    readSessionTotals(db, { releases: [release] }),
  ])
  const sessions = totals.get(healthKey(release))
  const { publicOrigin: origin } = call.services
  const facts = [
    `- Project: ${release.project.slug}`,
    `- Date: ${isoTime(release.datedAt)}`,
    `- Environments: ${release.environments.map((name) => inlineCode(name)).join(', ')}`,
    release.lastDeploy === undefined
      ? ''
      : `- Last deploy: ${inlineCode(release.lastDeploy.environment)}, ${isoTime(release.lastDeploy.finishedAt)}`,
    `- Events: ${release.eventCount}`,
    sessions === undefined || sessions.sessionCount === 0
      ? ''
      : `- Crash-free sessions: ${shareLeftText(sessions.crashedCount, sessions.sessionCount)} of ${sessions.sessionCount}`,
  ]
  const lines = commits.map(({ id, message = '', authorName }) => {
    const author = authorName === undefined ? '' : `, ${inlineCode(authorName)}`
    return `- \`${id.slice(0, 12)}\` ${inlineCode((message.split('\n')[0] ?? '').slice(0, 200))}${author}`
  })
  return toAnswer(
    [
      `# Release ${inlineCode(version)}`,
      dataNote,
      facts.filter((fact) => fact !== '').join('\n'),
      lines.length === 0 ? '' : ['## Commits', ...lines].join('\n'),
      ...toIssueSection('New issues', issues.newIssues, origin),
      ...toIssueSection('Regressed issues', issues.regressedIssues, origin),
    ],
    'Call search_issues with `release:` for the rest.',
  )
}

function toIssueSection(
  title: string,
  issues: Parameters<typeof toIssueLine>[0][],
  origin: string,
): string[] {
  return issues.length === 0 ? [] : [`## ${title}`, ...issues.map((issue) => toIssueLine(issue, origin))]
}
