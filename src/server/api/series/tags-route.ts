import * as v from 'valibot'
import { anyText } from '#server/api/answer-schema.ts'
import { answerPage, notFoundAnswer } from '#server/api/api-answer.ts'
import type { ApiRoute } from '#server/api/api-route.ts'
import { findProjectScope } from '#server/api/project-scope.ts'
import { limits } from '#server/limits.ts'
import { listTagKeysBeginning } from '#server/store/issues/tag-values.ts'

/** The tags that events have. */
export const tagsRoute: ApiRoute = {
  method: 'GET',
  path: '/organizations/{org}/tags/',
  scope: 'event:read',
  summary: `The keys of the tags of events, in alphabetical order: at most ${limits.apiTagKeys}.`,
  query: { project: 'A project’s id or slug, repeated; -1: all.' },
  answers: v.array(v.strictObject({ key: anyText, name: anyText })),
  isPaged: true,
  handle: async (call) => {
    const scope = await findProjectScope(call)
    if (scope === undefined) return notFoundAnswer
    const { projectIds } = scope
    const keys = await listTagKeysBeginning(call.services.store.db, {
      projectIds,
      begin: '',
      limit: limits.apiTagKeys,
    })
    return answerPage(call.url, { rows: keys.map((key) => ({ key, name: key })) })
  },
}

/** Attributes of spans, which Culvert does not store: none. Grafana's editor requests them. */
export const attributesRoute: ApiRoute = {
  method: 'GET',
  path: '/organizations/{org}/trace-items/attributes/',
  scope: 'event:read',
  summary: 'Attributes of spans: none, spans are not stored.',
  query: { attributeType: '`string` or `number`.', itemType: '`spans` or `logs`.' },
  answers: v.array(v.never()),
  isPaged: true,
  handle: async (call) =>
    (await findProjectScope(call)) === undefined ? notFoundAnswer : answerPage(call.url, { rows: [] }),
}
