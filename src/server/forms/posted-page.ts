import { getRequest } from '@tanstack/react-start/server'
import type { FormFields, PostedForm } from './form-views.ts'
import type { FormOutcome } from './form.ts'
import { formatNoticeCookie } from './notice-cookie.ts'
import { redirectTo } from './redirect.ts'

const posted = new WeakMap<Request, PostedForm>()

/** The form that the page being rendered was posted with; undefined on a page that was only requested. */
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
 * What the browser gets: after a change the page again, by a GET that says what was done; else the page with
 * what is wrong and what was entered, or with what the form made.
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
  // A page that failed keeps its own status.
  if (response.status !== 200) return response
  const headers = new Headers(response.headers)
  // Data that is shown once, a token or recovery codes, is not compressed together with input (BREACH).
  headers.set('cache-control', 'no-store, no-transform')
  return new Response(response.body, { status, headers })
}
