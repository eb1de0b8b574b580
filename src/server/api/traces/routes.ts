import * as v from 'valibot'
import { answer, errorAnswer, notFoundAnswer, type ApiAnswer } from '#server/api/api-answer.ts'
import type { ApiCall, ApiRoute } from '#server/api/api-route.ts'
import { findProjectScope } from '#server/api/project-scope.ts'
import { listTraceErrors } from '#server/console/traces/trace-errors.ts'
import { collectSpans } from '#server/console/traces/waterfall.ts'
import { limits } from '#server/limits.ts'
import { listTraceSegments } from '#server/store/traces/traces.ts'
import {
  eventsTraceAnswer,
  spanAnswer,
  toShownTrace,
  toSpanTrees,
  toTraceMeta,
  toTransactionTrees,
  traceMetaAnswer,
  type ShownTrace,
} from './json.ts'

const query = { project: 'A project’s id or slug, repeated; -1: all.' }

/** The traces of an organization, in Sentry's formats. */
export const traceRoutes: readonly ApiRoute[] = [
  {
    method: 'GET',
    path: '/organizations/{org}/trace/{trace}/',
    scope: 'event:read',
    summary: `The spans of a trace as trees: at most ${limits.traceSpansShown}.`,
    query,
    answers: v.array(spanAnswer),
    handle: (call) => answerTrace(call, toSpanTrees),
  },
  {
    method: 'GET',
    path: '/organizations/{org}/trace-meta/{trace}/',
    scope: 'event:read',
    summary: 'How many spans and errors a trace has.',
    query,
    answers: traceMetaAnswer,
    handle: (call) => answerTrace(call, toTraceMeta),
  },
  {
    method: 'GET',
    path: '/organizations/{org}/events-trace/{trace}/',
    scope: 'event:read',
    summary: 'The root spans of a trace as trees, with the errors of each.',
    query,
    answers: eventsTraceAnswer,
    handle: (call) => answerTrace(call, toTransactionTrees),
  },
]

/** Like Sentry, answers an unknown trace as an empty one. Two rounds of statements. */
async function answerTrace(call: ApiCall, toJson: (trace: ShownTrace) => unknown): Promise<ApiAnswer> {
  const scope = await findProjectScope(call)
  if (scope === undefined || scope.projectIds.length === 0) return notFoundAnswer
  const traceId = (call.params['trace'] ?? '').replaceAll('-', '').toLowerCase()
  if (!/^[0-9a-f]{32}$/.test(traceId)) return errorAnswer(400, 'A trace ID has 32 hex digits.')
  const { projectIds } = scope
  const { db } = call.services.store
  const [{ segments }, errors] = await Promise.all([
    listTraceSegments(db, { traceId, projectIds }),
    listTraceErrors(call.services.store, { traceId, projectIds }),
  ])
  return answer(toJson(toShownTrace(collectSpans(segments), errors)))
}
