import { renderStaticFailurePage } from '#components/failure/static-failure-page.ts'
import { createNonce, setSecurityHeaders } from '#server/http/security-headers.ts'
import type { Log } from '#server/log.ts'
import { captureServerError } from './capture.server.ts'

/**
 * The answer when a request could not be handled at all: the failure page as static HTML, or JSON for a caller that
 * wants no HTML. Captures the error and logs it once, with its digest.
 */
export function answerCrash(request: Request, thrown: unknown, log: Log): Response {
  const digest = captureServerError(thrown)
  log.error({ digest, err: thrown, url: new URL(request.url).pathname }, 'request failed')
  const headers = new Headers({ 'cache-control': 'no-store' })
  if (request.headers.get('accept')?.includes('text/html') !== true) {
    headers.set('content-type', 'application/json')
    return new Response(JSON.stringify({ detail: 'Application error', digest }), { status: 500, headers })
  }
  headers.set('content-type', 'text/html; charset=utf-8')
  const nonce = createNonce()
  setSecurityHeaders(headers, nonce)
  return new Response(renderStaticFailurePage({ kind: 'server', digest, nonce }), { status: 500, headers })
}
