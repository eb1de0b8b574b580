import { getRequest } from '@tanstack/react-start/server'
import type { FormFields, PostedForm } from './form-views.ts'
import type { FormOutcome } from './form.ts'
import { formatNoticeCookie } from './notice-cookie.ts'
import { redirectTo } from './redirect.ts'

const posted = new WeakMap<Request, PostedForm>()

/** The posted form of the page that is being rendered; undefined if the page was only requested. */
export function findPostedForm(): PostedForm | undefined {
  return posted.get(getRequest())
}

/** A form that a browser posted to a page without JavaScript. */
interface PagePost {
  request: Request
  fields: FormFields
  outcome: FormOutcome
  /** Renders the page. */
  render: () => Promise<Response>
}

/**
 * The answer to a posted form: after a change a redirect to the page with a notice; otherwise the page with
 * the problems and the entered values, or with the data that the form has created.
 */
export async function answerPagePost({ request, fields, outcome, render }: PagePost): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const here = pathname + search
  if (outcome.kind === 'signed-out') return redirectTo(`/login?to=${encodeURIComponent(here)}`)
  if (outcome.kind === 'done') {
    const { leadsTo = here, text, cookies = [] } = outcome
    return redirectTo(leadsTo, text === undefined ? cookies : [...cookies, formatNoticeCookie({ text })])
  }
  const { cookies: _cookies, ...reply } = outcome
  const action = [fields['action'] ?? ''].flat().at(-1) ?? ''
  posted.set(request, { pathname, action, fields: withoutPasswords(fields), reply })
  return withStatus(await render(), reply.kind === 'rejected' ? reply.status : 200)
}

function withoutPasswords({
  password: _password,
  newPassword: _newPassword,
  ...fields
}: FormFields): FormFields {
  return fields
}

function withStatus(response: Response, status: number): Response {
  // A failed page keeps its own status.
  if (response.status !== 200) return response
  const headers = new Headers(response.headers)
  // Data that is displayed once, a token or recovery codes, must not be compressed together with input
  // (BREACH).
  headers.set('cache-control', 'no-store, no-transform')
  return new Response(response.body, { status, headers })
}
