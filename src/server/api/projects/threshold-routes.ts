import * as v from 'valibot'
import { anyText, textOrNull } from '#server/api/answer-schema.ts'
import { answer, errorAnswer, notFoundAnswer, type ApiAnswer } from '#server/api/api-answer.ts'
import type { ApiCall, ApiRoute } from '#server/api/api-route.ts'
import { findPathProject } from '#server/api/project-scope.ts'
import { readCallBody } from '#server/api/read-body.ts'
import { isAllowed } from '#server/auth/roles.ts'
import { limits } from '#server/limits.ts'
import { getProjectSettings, updateProjectSettings } from '#server/store/projects/settings.ts'

const thresholdAnswer = v.strictObject({
  id: textOrNull,
  threshold: anyText,
  metric: v.literal('duration'),
  projectId: anyText,
})

const thresholdBody = v.object({
  threshold: v.pipe(
    v.union([v.string(), v.number()]),
    v.transform(Number),
    v.integer(),
    v.minValue(1),
    v.maxValue(limits.problemMaxMs),
  ),
  metric: v.optional(v.literal('duration'), 'duration'),
})

const path = '/projects/{org}/{project}/transaction-threshold/configure/'

/** The threshold of Apdex of a project. */
export const thresholdRoutes: readonly ApiRoute[] = [
  {
    method: 'GET',
    path,
    scope: 'project:read',
    summary: 'The threshold of Apdex of a project, in milliseconds.',
    answers: thresholdAnswer,
    handle: async (call) => {
      const found = await findPathProject(call)
      if (found === undefined) return notFoundAnswer
      const { traces } = await getProjectSettings(call.services.store.db, found.projectId)
      return answerThreshold(found.projectId, traces.apdexMs)
    },
  },
  {
    method: 'POST',
    path,
    scope: 'org:admin',
    summary: 'Changes the threshold. Of the metrics only `duration` is supported.',
    body: thresholdBody,
    answers: thresholdAnswer,
    handle: (call) =>
      change(call, async () => {
        const sent = await readCallBody(call, thresholdBody)
        return sent.ok ? sent.body.threshold : sent.error
      }),
  },
  {
    method: 'DELETE',
    path,
    scope: 'org:admin',
    summary: 'Resets the threshold to the default.',
    statuses: [204],
    handle: async (call) => {
      const changed = await change(call, () => limits.apdexMs)
      return changed.status === 200 ? { status: 204 } : changed
    },
  },
]

async function change(call: ApiCall, read: () => Promise<number | ApiAnswer> | number): Promise<ApiAnswer> {
  const found = await findPathProject(call)
  if (found === undefined) return notFoundAnswer
  if (!isAllowed(found.role, 'configure'))
    return errorAnswer(403, 'You do not have permission to perform this action.')
  const apdexMs = await read()
  if (typeof apdexMs !== 'number') return apdexMs
  const { traces } = await updateProjectSettings(call.services.store, found.projectId, (before) => ({
    traces: { ...before.traces, apdexMs },
  }))
  return answerThreshold(found.projectId, traces.apdexMs)
}

/** The id is null for the default, as in Sentry. */
function answerThreshold(projectId: number, apdexMs: number): ApiAnswer {
  const id = String(projectId)
  return answer({
    id: apdexMs === limits.apdexMs ? null : id,
    threshold: String(apdexMs),
    metric: 'duration',
    projectId: id,
  } satisfies v.InferOutput<typeof thresholdAnswer>)
}
