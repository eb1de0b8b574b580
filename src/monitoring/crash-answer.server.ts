import { renderStaticFailurePage } from '#components/failure/static-failure-page.ts'
import type { Accounts } from '#server/auth/accounts.ts'
import { findPostedFrom } from '#server/forms/posted-action.ts'
import { createNonce, setSecurityHeaders } from '#server/http/answer/security-headers.ts'
import { appConfig } from '../../app.config.ts'
import { captureServerError } from './capture.server.ts'
import { failedAt, isLoadTimeout, isStoreUnavailable } from './failure.ts'
import { withoutLinkTokens } from './link-tokens.ts'
import { release } from './release.ts'
import { isSignedIn } from './signed-in.server.ts'

/**
 * The response if a request handler failed: the failure page as static HTML, or JSON for a client that does
 * not accept HTML. 504 for a page that took too long to render, 503 with `Retry-After` if the database is
 * unavailable, else 500. Captures the error, except for a request that the client has cancelled.
 */
export async function answerCrash(
  request: Request,
  thrown: unknown,
  accounts: Pick<Accounts, 'findViewer'>,
): Promise<Response> {
  if (request.signal.aborted) return new Response(null, { status: 499 })
  const { pathname } = new URL(request.url)
  const digest = captureServerError(thrown, { method: request.method, url: withoutLinkTokens(pathname) })
  const isTimeout = isLoadTimeout(thrown)
  const isUnavailable = isStoreUnavailable(thrown)
  const isPage = request.headers.get('accept')?.includes('text/html') === true
  const nonce = createNonce()
  const headers = new Headers({
    'content-type': isPage ? 'text/html; charset=utf-8' : 'application/json',
    'cache-control': 'no-store',
  })
  setSecurityHeaders(headers, { nonce, url: request.url })
  const body = isPage
    ? renderStaticFailurePage({
        kind: 'server',
        digest,
        nonce,
        isTimeout,
        isUnavailable,
        at: failedAt(thrown),
        ...(isFormPost(request) && { postedFrom: findPostedFrom(request) }),
        release,
        isSignedIn: await isSignedIn(request, accounts),
      })
    : JSON.stringify({ detail: 'Application error', digest })
  if (isUnavailable) headers.set('retry-after', String(appConfig.unavailableRetrySeconds))
  const status = isUnavailable ? 503 : 500
  return new Response(request.method === 'HEAD' ? null : body, { status: isTimeout ? 504 : status, headers })
}

const formTypes = ['application/x-www-form-urlencoded', 'multipart/form-data']

/** True for a form that a browser posted without JavaScript. */
function isFormPost({ method, headers }: Request): boolean {
  const contentType = headers.get('content-type') ?? ''
  return method === 'POST' && formTypes.some((type) => contentType.startsWith(type))
}
