import type * as v from 'valibot'
import type { TokenScope } from '#server/auth/token-scopes.ts'
import type { Membership, Viewer } from '#server/auth/viewer.ts'
import type { Services } from '#server/services.ts'
import type { ApiAnswer } from './api-answer.ts'
import type { SentForm } from './read-form.ts'

/** The services that the API needs, which include those of the console's forms. */
export type ApiServices = Services

/** The JSON body of a request, or its rejection. */
export type SentJson = { ok: true; value: unknown } | { ok: false; error: ApiAnswer }

/** An authenticated request. */
export interface ApiCall {
  services: ApiServices
  /** The owner of the token. */
  viewer: Viewer
  scopes: readonly string[]
  url: URL
  /** Parameters of the route's path. */
  params: Record<string, string>
  readBody: () => Promise<SentJson>
  /** Parses a multipart form of at most `maxBytes`. */
  readForm: (maxBytes: number) => Promise<SentForm>
}

/** An endpoint, for dispatch and for the OpenAPI document. */
export interface ApiRoute {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below `/api/0`: `/organizations/{org}/issues/`. */
  path: string
  /** Absent: any token is accepted. */
  scope?: TokenScope
  /** One sentence. */
  summary: string
  /** Names and meanings of query parameters. */
  query?: Record<string, string>
  /** Schema of the body, for the document. */
  body?: v.GenericSchema
  /** The body is a multipart form instead of JSON. */
  takesForm?: boolean
  /** Schema of a successful response. Absent: no body. */
  answers?: v.GenericSchema
  /** Statuses of a successful response. Default: 200. */
  statuses?: readonly number[]
  /** The response is a page of a list with a Link header. */
  isPaged?: boolean
  handle: (call: ApiCall) => ApiAnswer | Promise<ApiAnswer>
}

/** The organization in the path, by slug or id. Undefined if the viewer is not a member. */
export function findMembership({ viewer, params }: ApiCall): Membership | undefined {
  return viewer.memberships.find(
    ({ organizationSlug, organizationId }) =>
      organizationSlug === params['org'] || String(organizationId) === params['org'],
  )
}
