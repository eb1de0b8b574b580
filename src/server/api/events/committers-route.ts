import * as v from 'valibot'
import { parseEventId } from '#protocol/event-id.ts'
import { anyText, textOrNull } from '#server/api/answer-schema.ts'
import { answer, notFoundAnswer, type ApiAnswer } from '#server/api/api-answer.ts'
import type { ApiCall, ApiRoute } from '#server/api/api-route.ts'
import { findProjectScope } from '#server/api/project-scope.ts'
import { readShownEvent } from '#server/console/events/events.ts'
import { readSuspectCommits } from '#server/console/issues/suspects.ts'
import type { SuspectCommit } from '#server/console/issues/views.ts'
import { findEvent } from '#server/store/events/events.ts'

const authorAnswer = v.strictObject({ id: v.optional(anyText), name: textOrNull })

const committersAnswer = v.strictObject({
  committers: v.array(
    v.strictObject({
      author: authorAnswer,
      commits: v.array(
        v.strictObject({
          id: anyText,
          message: anyText,
          dateCreated: textOrNull,
          url: textOrNull,
          path: anyText,
          author: authorAnswer,
          suspectCommitType: anyText,
        }),
      ),
    }),
  ),
})

/** The commits that may have caused an event. */
export const committersRoute: ApiRoute = {
  method: 'GET',
  path: '/projects/{org}/{project}/events/{event}/committers/',
  scope: 'event:read',
  summary: 'The commits of the issue’s first release that changed files of the stack trace, by author.',
  answers: committersAnswer,
  handle: listCommitters,
}

async function listCommitters(call: ApiCall): Promise<ApiAnswer> {
  const scope = await findProjectScope(call)
  const id = parseEventId(call.params['event'] ?? '')
  const { services } = call
  const found =
    scope && id !== undefined
      ? await findEvent(services.store.db, { id, projectIds: scope.projectIds })
      : undefined
  if (found === undefined) return notFoundAnswer
  const { event: shown } = await readShownEvent(services, found.event)
  const suspects = await readSuspectCommits(services, { ...found, shown })
  const byAuthor = Map.groupBy(suspects, ({ author, authorName }) => author?.userId ?? authorName ?? '')
  return answer({
    committers: [...byAuthor.values()].map((commits) => ({
      author: toAuthorJson(commits[0]),
      commits: commits.map(toSuspectJson),
    })),
  })
}

function toSuspectJson(commit: SuspectCommit) {
  return {
    id: commit.id,
    message: commit.subject,
    dateCreated: commit.committedAt === undefined ? null : new Date(commit.committedAt).toISOString(),
    url: commit.url ?? null,
    path: commit.path,
    author: toAuthorJson(commit),
    suspectCommitType: 'via commit in release',
  }
}

function toAuthorJson(commit: SuspectCommit | undefined) {
  const { author, authorName } = commit ?? {}
  return { ...(author && { id: author.userId }), name: author?.name ?? authorName ?? null }
}
