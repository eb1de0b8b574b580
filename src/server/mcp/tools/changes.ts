import * as v from 'valibot'
import { changeIssues, type IssueChange } from '#server/api/issues/changes.ts'
import { projectsWith } from '#server/auth/viewer.ts'
import { limits } from '#server/limits.ts'
import { findNamedIssue, issueName, toApiCall, toProblem } from '#server/mcp/scope.ts'
import { defineTool, ToolError, type ToolCall } from '#server/mcp/tool.ts'
import type { IssueSummary } from '#server/store/issues/records.ts'
import { recordComment } from '#server/store/triage/comments.ts'
import { appConfig } from '../../../../app.config.ts'

const updateInput = v.object({
  issue: issueName,
  status: v.optional(v.picklist(['unresolved', 'resolved', 'resolved_in_next_release', 'archived'])),
  in_release: v.optional(
    v.pipe(
      v.string(),
      v.maxLength(limits.releaseCharacters),
      v.description('With `resolved`: the release that fixes it, or `latest`.'),
    ),
  ),
  assignee: v.optional(
    v.pipe(
      v.string(),
      v.maxLength(limits.nameCharacters),
      v.description('Email address; `me`; empty: nobody.'),
    ),
  ),
})

export const updateIssue = defineTool({
  name: 'update_issue',
  description:
    'Changes the status or the assignee of an issue. Call it only when a person asked for the change.',
  scope: 'event:write',
  input: updateInput,
  handle: answerUpdate,
})

async function answerUpdate(call: ToolCall, input: v.InferOutput<typeof updateInput>): Promise<string> {
  const { status, in_release: release, assignee } = input
  if (status === undefined && assignee === undefined)
    throw new ToolError('Nothing to change: set a status or an assignee.')
  if (release !== undefined && status !== 'resolved')
    throw new ToolError('in_release needs the status resolved.')
  const issue = await findOwnIssue(call, input.issue)
  const { userId } = call.viewer
  const change: IssueChange = {
    ...(status !== undefined && { status: sentryStatuses[status] }),
    ...(release !== undefined && { statusDetails: { inRelease: release } }),
    ...(assignee !== undefined && { assignedTo: assignee === 'me' ? `user:${userId}` : assignee }),
  }
  const selection = { issueIds: [Number(issue.id)], projectIds: [issue.project.id] }
  const rejection = await changeIssues(toApiCall(call, {}), selection, change)
  if (rejection !== undefined) throw new ToolError(toProblem(rejection))
  const changed = await findNamedIssue(call, issue.id)
  return `${issue.shortId} is ${changed.status}, assigned to ${changed.assignee?.name ?? 'nobody'}.`
}

/** In the terms of Sentry's API. */
const sentryStatuses = {
  unresolved: 'unresolved',
  resolved: 'resolved',
  resolved_in_next_release: 'resolvedInNextRelease',
  archived: 'ignored',
} as const

const commentInput = v.object({
  issue: issueName,
  text: v.pipe(
    v.string(),
    v.trim(),
    v.minLength(1),
    v.maxLength(appConfig.commentCharacters),
    v.description('Markdown.'),
  ),
})

export const commentIssue = defineTool({
  name: 'comment_issue',
  description: 'Adds a comment to an issue in the name of the token’s owner.',
  scope: 'event:write',
  input: commentInput,
  handle: answerComment,
})

async function answerComment(call: ToolCall, { issue: name, text }: v.InferOutput<typeof commentInput>) {
  const issue = await findOwnIssue(call, name)
  const { store, clock, publicOrigin } = call.services
  const target = { issueId: Number(issue.id), projectIds: [issue.project.id] }
  await recordComment(store, target, { userId: call.viewer.userId, at: clock(), text })
  return `The comment is on ${issue.shortId}: ${publicOrigin}/issues/${issue.id}`
}

/** An issue that the caller may change. */
async function findOwnIssue(call: ToolCall, name: string): Promise<IssueSummary> {
  const issue = await findNamedIssue(call, name)
  if (!projectsWith(call.viewer, 'triage').includes(issue.project.id))
    throw new ToolError('The token’s owner is a viewer of this project, who cannot change issues.')
  return issue
}
