import { getRequest } from '@tanstack/react-start/server'
import type { Services } from '#server/services.ts'
import { requireSameOrigin } from './same-origin.ts'
import type { FormState } from './views.ts'

/** What becomes of a posted form. */
export type FormOutcome = { kind: 'go'; to: string; cookies?: string[] } | FormRefusal

/** The page is shown once more. */
export interface FormRefusal extends FormState {
  kind: 'again'
}

/** A form as a page posted it. */
export interface PostedForm {
  request: Request
  fields: Record<string, string>
  /** Where it was posted to. */
  pathname: string
  /** The last part of the path: the token of a link. */
  token: string
}

const formStates = new WeakMap<Request, FormState>()

/** What the form that is being answered said wrong; undefined on a page that was only asked for. */
export function findFormState(): FormState | undefined {
  return formStates.get(getRequest())
}

interface RouteCall {
  request: Request
  pathname: string
  context: { services: Services }
  next: () => unknown
}

/**
 * The POST handler of a page with a form: works without JavaScript, and shows the page again with what is wrong and what
 * was typed. Answers 403 when another site's page posted it.
 */
export function postedPage(handle: (services: Services, form: PostedForm) => Promise<FormOutcome>) {
  return async ({ request, pathname, context, next }: RouteCall): Promise<Response> => {
    const refusal = requireSameOrigin(request)
    if (refusal !== undefined) return refusal
    const outcome = await handle(context.services, {
      request,
      fields: await readFields(request),
      pathname,
      token: decodeURIComponent(pathname.slice(pathname.lastIndexOf('/') + 1)),
    })
    if (outcome.kind === 'go') return redirectTo(outcome)
    const { kind: _kind, ...state } = outcome
    formStates.set(request, state)
    return withStatus(await next(), state.status)
  }
}

/** Sends a browser on with a GET. */
export function redirectTo({ to, cookies = [] }: { to: string; cookies?: string[] }): Response {
  const headers = new Headers({ location: to, 'cache-control': 'no-store' })
  for (const cookie of cookies) headers.append('set-cookie', cookie)
  return new Response(null, { status: 303, headers })
}

async function readFields(request: Request): Promise<Record<string, string>> {
  const form = await request.formData().catch(() => new FormData())
  const fields: Record<string, string> = {}
  for (const [name, value] of form) if (typeof value === 'string') fields[name] = value
  return fields
}

function withStatus(rendered: unknown, status: number): Response {
  const response = responseOf(rendered)
  // A page that failed keeps saying so.
  if (response.status !== 200) return response
  const headers = new Headers(response.headers)
  // What is shown once, an invitation or recovery codes, is not compressed beside what somebody typed (BREACH).
  headers.set('cache-control', 'no-store, no-transform')
  return new Response(response.body, { status, headers })
}

function responseOf(rendered: unknown): Response {
  if (rendered instanceof Response) return rendered
  const response: unknown =
    typeof rendered === 'object' && rendered !== null ? Reflect.get(rendered, 'response') : undefined
  if (response instanceof Response) return response
  throw new TypeError('a page was rendered to something that is no response')
}

/** The path on this server that a form may send a browser to; `/issues` for anything else. */
export function toLocalPath(text: string | undefined): string {
  // Two slashes, or a slash and a backslash, would be another host.
  return text !== undefined && /^\/(?![/\\])[\x21-\x7e]*$/.test(text) ? text : '/issues'
}
