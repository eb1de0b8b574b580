import { renderStaticFailurePage } from '#components/failure/static-failure-page.ts'
import type { Accounts } from '#server/auth/accounts.ts'
import type { PostedNotice } from '#server/forms/form-views.ts'
import { formatNoticeCookie } from '#server/forms/notice-cookie.ts'
import type { ServerFailure } from './failure.ts'
import { release } from './release.ts'
import { isSignedIn } from './signed-in.server.ts'

const formTypes = ['application/x-www-form-urlencoded', 'multipart/form-data']

/** True for a form that a browser posted to a server function by itself, because no script did it. */
export function isFormPost({ method, headers }: Request): boolean {
  const contentType = headers.get('content-type') ?? ''
  return (
    method === 'POST' &&
    headers.get('x-tsr-serverfn') !== 'true' &&
    formTypes.some((type) => contentType.startsWith(type))
  )
}

/** How the call that a form made has ended. */
export interface FormAnswer {
  /** What a script would have been answered. */
  response: Response
  failure: ServerFailure | undefined
  /** What is to be said of it, and where to go, where the page with the form is gone. */
  notice?: (PostedNotice & { leadsTo?: string }) | undefined
  /** Of the answer's CSP. */
  nonce: string
  accounts: Pick<Accounts, 'findViewer'>
}

/**
 * What a browser without JavaScript shows after it posted a form: the page it was on, loaded anew, with the
 * notice of what was done or why not; or the failure page with the digest. Another refusal stays as it is.
 */
export async function answerFormPost(
  request: Request,
  { response, failure, notice, nonce, accounts }: FormAnswer,
): Promise<Response> {
  const postedFrom = findPostedFrom(request)
  if (response.ok || response.status === 404) {
    const headers = new Headers({ location: leadOn(postedFrom, notice?.leadsTo) })
    if (notice !== undefined) headers.append('set-cookie', formatNoticeCookie(notice))
    return new Response(null, { status: 303, headers })
  }
  if (isRedirect(response)) return leadAway(response, postedFrom)
  if (failure === undefined) return response
  const { digest, at } = failure
  const page = renderStaticFailurePage({
    kind: 'server',
    digest,
    at,
    nonce,
    postedFrom,
    release,
    isSignedIn: await isSignedIn(request, accounts),
  })
  return new Response(page, { status: 500, headers: { 'content-type': 'text/html; charset=utf-8' } })
}

function isRedirect({ status, headers }: Response): boolean {
  return status >= 300 && status < 400 && headers.has('location')
}

/**
 * A redirect of a form is followed by a GET: with 307 the browser would post the fields to the page it leads
 * to. What leads to the sign-in comes back to the page with the form.
 */
function leadAway({ headers }: Response, postedFrom: string): Response {
  const location = headers.get('location') ?? '/'
  const to = location === '/login' ? `/login?to=${encodeURIComponent(postedFrom)}` : location
  return new Response(null, { status: 303, headers: { location: to } })
}

/** A list that a form leads to, and stands on, keeps its filters. */
function leadOn(postedFrom: string, leadsTo = postedFrom): string {
  return postedFrom.startsWith(`${leadsTo}?`) ? postedFrom : leadsTo
}

/**
 * Path and query of the page that the form stands on; a browser that hides it is sent to the first screen.
 */
function findPostedFrom({ headers, url }: Request): string {
  const referer = URL.parse(headers.get('referer') ?? '')
  if (referer === null || referer.origin !== new URL(url).origin) return '/'
  // Two slashes at the beginning would be another host.
  return `/${(referer.pathname + referer.search).replace(/^\/+/, '')}`
}
