import { getRequest } from '@tanstack/react-start/server'
import type { Services } from '#server/services.ts'
import { appConfig } from '../../../app.config.ts'
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

/** Lets a form in, or not while there is no room for it; the result is called when the form is answered. */
export type FormGate = (services: Services, form: PostedForm) => Promise<(() => void) | undefined>

/**
 * The POST handler of a page with a form: works without JavaScript, and shows the page again with what is wrong and what
 * was typed. Answers 403 when another site's page posted it, and 429 with a page of its own when the gate is full.
 */
export function postedPage(
  handle: (services: Services, form: PostedForm) => Promise<FormOutcome>,
  gate: FormGate = () => Promise.resolve(leaveNothing),
) {
  return async ({ request, pathname, context, next }: RouteCall): Promise<Response> => {
    const refusal = requireSameOrigin(request)
    if (refusal !== undefined) return refusal
    const form = {
      request,
      fields: await readFields(request),
      pathname,
      token: decodeURIComponent(pathname.slice(pathname.lastIndexOf('/') + 1)),
    }
    const leave = await gate(context.services, form)
    if (leave === undefined) return answerBusy(pathname)
    try {
      const outcome = await handle(context.services, form)
      if (outcome.kind === 'go') return redirectTo(outcome)
      const { kind: _kind, ...state } = outcome
      formStates.set(request, state)
      return withStatus(await next(), state.status)
    } finally {
      leave()
    }
  }
}

const leaveNothing = () => undefined

/** Costs next to nothing: rendering the page is what there is no room for. */
function answerBusy(pathname: string): Response {
  const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Too many sign-ins · ${appConfig.name}</title>
</head>
<body>
<main>
<h1>Too many sign-ins at the same time</h1>
<p>Nothing was checked. Wait a few seconds, then <a href="${encodeURI(pathname)}">try again</a>.</p>
</main>
</body>
</html>
`
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'retry-after': '2',
  }
  return new Response(body, { status: 429, headers })
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
