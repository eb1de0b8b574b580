import type * as v from 'valibot'
import type { TokenScope } from '#server/auth/token-scopes.ts'
import type { Membership, Viewer } from '#server/auth/viewer.ts'
import type { Services } from '#server/services.ts'
import type { ApiAnswer } from './api-answer.ts'
import type { SentForm } from './read-form.ts'

/** What of the services the API needs. */
export type ApiServices = Pick<
  Services,
  'store' | 'clock' | 'publicOrigin' | 'accounts' | 'assembly' | 'sourceMaps'
>

/** The JSON of a request, or the error answer. */
export type SentJson = { ok: true; value: unknown } | { ok: false; error: ApiAnswer }

/** A call whose token has been looked at. */
export interface ApiCall {
  services: ApiServices
  /** The user whose token it is. */
  viewer: Viewer
  scopes: readonly string[]
  url: URL
  /** The parts of the path that the route names. */
  params: Record<string, string>
  readBody: () => Promise<SentJson>
  /** Reads a form of files, of up to so many bytes. */
  readForm: (maxBytes: number) => Promise<SentForm>
}

/**
 * One endpoint. The table of them is what calls are dispatched by and what the OpenAPI document is made of.
 */
export interface ApiRoute {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below `/api/0`: `/organizations/{org}/issues/`. */
  path: string
  /** Absent: any token will do. */
  scope?: TokenScope
  /** One sentence. */
  summary: string
  /** Names and meanings of query parameters. */
  query?: Record<string, string>
  /** What is sent, for the document. */
  body?: v.GenericSchema
  /** A form of files is sent instead of JSON. */
  takesForm?: boolean
  /** What is answered when all is well; absent: nothing but the status. */
  answers?: v.GenericSchema
  /** With which statuses: 200 unless it is said. */
  statuses?: readonly number[]
  /** The answer is a page of a list, with a Link header. */
  isPaged?: boolean
  handle: (call: ApiCall) => ApiAnswer | Promise<ApiAnswer>
}

/** The organization a path names, by slug or id; undefined where the viewer is no member of it. */
export function findMembership({ viewer, params }: ApiCall): Membership | undefined {
  return viewer.memberships.find(
    ({ organizationSlug, organizationId }) =>
      organizationSlug === params['org'] || String(organizationId) === params['org'],
  )
}
