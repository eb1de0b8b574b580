import * as v from 'valibot'
import { answer, answerPage, notFoundAnswer, type ApiAnswer } from '#server/api/api-answer.ts'
import type { ApiCall, ApiRoute } from '#server/api/api-route.ts'
import { readCallBody } from '#server/api/read-body.ts'
import { projectsWith } from '#server/auth/viewer.ts'
import { listIssueComments, type IssueComment } from '#server/store/triage/comment-list.ts'
import { recordComment } from '#server/store/triage/comments.ts'
import { appConfig } from '../../../../app.config.ts'
import { commentAnswer } from './answer.ts'
import { cannotChange } from './changes.ts'
import { findRequestedIssue } from './find-issue.ts'

const commentBody = v.object({
  text: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(appConfig.commentCharacters)),
})

/** Comments on an issue, which Sentry also calls notes. */
export const commentRoutes: readonly ApiRoute[] = [
  '/organizations/{org}/issues/{issue}/',
  '/issues/{issue}/',
].flatMap((base) =>
  ['comments/', 'notes/'].flatMap((name): ApiRoute[] => [
    {
      method: 'GET',
      path: `${base}${name}`,
      scope: 'event:read',
      summary: 'The comments on an issue, newest first.',
      answers: v.array(commentAnswer),
      isPaged: true,
      handle: list,
    },
    {
      method: 'POST',
      path: `${base}${name}`,
      scope: 'event:write',
      summary: 'Adds a comment to an issue, in Markdown.',
      body: commentBody,
      answers: commentAnswer,
      statuses: [201],
      handle: add,
    },
  ]),
)

async function list(call: ApiCall): Promise<ApiAnswer> {
  const key = await findKey(call)
  if (key === undefined) return notFoundAnswer
  const comments = await listIssueComments(call.services.store.db, key)
  return answerPage(call.url, { rows: comments.map(toCommentJson) })
}

async function add(call: ApiCall): Promise<ApiAnswer> {
  const key = await findKey(call)
  if (key === undefined) return notFoundAnswer
  const { projectId, issueId } = key
  if (!projectsWith(call.viewer, 'triage').includes(projectId)) return cannotChange
  const sent = await readCallBody(call, commentBody)
  if (!sent.ok) return sent.error
  const { store, clock } = call.services
  const { userId } = call.viewer
  const target = { issueId, projectIds: [projectId] }
  if (!(await recordComment(store, target, { userId, at: clock(), text: sent.body.text })))
    return notFoundAnswer
  const comments = await listIssueComments(store.db, key)
  const own = comments.find(({ by, text }) => by?.userId === userId && text === sent.body.text)
  return own === undefined ? notFoundAnswer : answer(toCommentJson(own), 201)
}

async function findKey(call: ApiCall): Promise<{ projectId: number; issueId: number } | undefined> {
  const found = await findRequestedIssue(call)
  return found && { projectId: found.issue.project.id, issueId: Number(found.issue.id) }
}

function toCommentJson({ id, text, at, by }: IssueComment): v.InferOutput<typeof commentAnswer> {
  return {
    id,
    type: 'note',
    data: { text },
    dateCreated: new Date(at).toISOString(),
    user:
      by === undefined
        ? null
        : { id: by.userId, name: by.name, username: by.email, email: by.email, isActive: true },
  }
}
