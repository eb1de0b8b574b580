import * as v from 'valibot'
import { anyText } from '#server/api/answer-schema.ts'
import { answer, fieldErrorAnswer, notFoundAnswer, type ApiAnswer } from '#server/api/api-answer.ts'
import type { ApiCall, ApiRoute } from '#server/api/api-route.ts'
import { findProjectScope } from '#server/api/project-scope.ts'
import { findProjectDetails } from '#server/store/projects/details.ts'
import { findCommitInVersion, toSourceUrl } from '#source-links/source-link.ts'

const sourceLinkAnswer = v.strictObject({
  config: v.nullable(
    v.strictObject({ provider: v.strictObject({ key: anyText }), repoUrl: anyText, defaultBranch: anyText }),
  ),
  sourceUrl: v.nullable(anyText),
  integrations: v.array(v.never()),
  error: v.optional(v.picklist(['no_repository', 'stack_root_mismatch'])),
})

/** The URL of a frame's line in the code host of its project. */
export const sourceLinkRoute: ApiRoute = {
  method: 'GET',
  path: '/projects/{org}/{project}/stacktrace-link/',
  scope: 'project:read',
  summary: 'The URL of a frame’s line in the code host.',
  query: {
    file: 'The path of the frame.',
    absPath: 'Its full path.',
    lineNo: 'The line.',
    commitId: 'The commit. Default: the branch in the settings.',
    release: 'A version that ends with a commit.',
  },
  answers: sourceLinkAnswer,
  handle: findSourceLink,
}

async function findSourceLink(call: ApiCall): Promise<ApiAnswer> {
  const scope = await findProjectScope(call)
  const [project] = scope?.projects ?? []
  const details =
    project &&
    (await findProjectDetails(call.services.store.db, { slug: project.slug, projectIds: [project.id] }))
  if (details === undefined) return notFoundAnswer
  const { searchParams } = call.url
  const file = searchParams.get('file') ?? ''
  if (file === '') return fieldErrorAnswer('file', 'The path of a frame is required.')
  const settings = details.settings.sourceLinks
  const body = { config: null, sourceUrl: null, integrations: [] }
  if (settings.url === '') return answer({ ...body, error: 'no_repository' })
  const lineNumber = Number(searchParams.get('lineNo') ?? '')
  const sourceUrl = toSourceUrl(
    settings,
    {
      filename: file,
      absPath: searchParams.get('absPath') || undefined,
      lineNumber: Number.isSafeInteger(lineNumber) && lineNumber > 0 ? lineNumber : undefined,
    },
    searchParams.get('commitId') || findCommitInVersion(searchParams.get('release') ?? ''),
  )
  const config = { provider: { key: settings.host }, repoUrl: settings.url, defaultBranch: settings.branch }
  return answer(
    sourceUrl === undefined
      ? { ...body, config, error: 'stack_root_mismatch' }
      : { ...body, config, sourceUrl },
  )
}
