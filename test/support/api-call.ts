import * as v from 'valibot'
import { expect } from 'vitest'
import { apiRoutes } from '#server/api/api-routes.ts'
import { matchRoute } from '#server/api/match-route.ts'
import { createOpenApiDocument } from '#server/api/openapi.ts'
import { findMisfits } from './json-schema.ts'

/** A test's request to the API. */
interface Call {
  /** Empty: no header. */
  token?: string
  method?: string
  /** Text is sent as it is. */
  body?: unknown
}

/** The answer. */
interface Answered {
  status: number
  json: unknown
  headers: Headers
}

export type CallApi = (path: string, call?: Call) => Promise<Answered>

/** Calls the API of a server with a token, and checks the answer against its OpenAPI document. */
export function createApiCaller(origin: string, ownToken: string): CallApi {
  return async (path, { token = ownToken, method = 'GET', body } = {}) => {
    const response = await fetch(`${origin}/api/0${path}`, {
      method,
      headers: token === '' ? {} : { authorization: `Bearer ${token}` },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const json: unknown = text === '' ? undefined : JSON.parse(text)
    if (response.ok) expectDocumented({ method, path, status: response.status, json })
    return { status: response.status, json, headers: response.headers }
  }
}

const documented = createOpenApiDocument('https://culvert.example.com')

const Operation = v.object({
  responses: v.record(
    v.string(),
    v.object({ content: v.optional(v.record(v.string(), v.object({ schema: v.unknown() }))) }),
  ),
})

/** Checks that the answer matches the schema of the OpenAPI document exactly: no missing or other field. */
function expectDocumented(answer: { method: string; path: string; status: number; json: unknown }) {
  const [path = ''] = answer.path.split('?')
  const match = matchRoute(apiRoutes, answer.method, path)
  if (match.kind !== 'found') return
  const { responses } = v.parse(Operation, documented.paths[match.route.path]?.[answer.method.toLowerCase()])
  const schema = responses[answer.status]?.content?.['application/json']?.schema
  const misfits = answer.json === undefined ? [] : findMisfits(schema, answer.json)
  expect({ path, status: Object.keys(responses), misfits }).toEqual({
    path,
    status: expect.arrayContaining([String(answer.status)]) as string[],
    misfits: [],
  })
}
