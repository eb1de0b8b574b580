import * as v from 'valibot'
import { anyText } from '#server/api/answer-schema.ts'
import { answerPage, notFoundAnswer } from '#server/api/api-answer.ts'
import type { ApiRoute } from '#server/api/api-route.ts'
import { findProjectScope } from '#server/api/project-scope.ts'
import { limits } from '#server/limits.ts'
import { listTagKeysBeginning } from '#server/store/issues/tag-values.ts'

/** The tags of events. */
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

/** The attributes of spans by which figures are counted, for the menus of Grafana's editor. */
const spanAttributes = new Map([
  ['number', ['span.duration']],
  ['string', ['span.op', 'span.description', 'transaction']],
])

/** Attributes of spans. Other attributes have no separate figures. */
export const attributesRoute: ApiRoute = {
  method: 'GET',
  path: '/organizations/{org}/trace-items/attributes/',
  scope: 'event:read',
  summary: 'Attributes of spans by which their figures are grouped.',
  query: {
    attributeType: '`string` or `number`. Default: `string`.',
    itemType: '`spans`; `logs` have none.',
  },
  answers: v.array(v.strictObject({ key: anyText, name: anyText })),
  isPaged: true,
  handle: async (call) => {
    if ((await findProjectScope(call)) === undefined) return notFoundAnswer
    const { searchParams } = call.url
    const keys = spanAttributes.get(searchParams.get('attributeType') || 'string') ?? []
    const isOfSpans = (searchParams.get('itemType') || 'spans') === 'spans'
    return answerPage(call.url, { rows: isOfSpans ? keys.map((key) => ({ key, name: key })) : [] })
  },
}
