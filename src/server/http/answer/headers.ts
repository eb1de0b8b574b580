import type { IngestAnswer } from '#server/ingest/ingest-answer.ts'
import type { IngestTarget } from '#server/ingest/ingest-request.ts'

/**
 * The headers of every answer of the SDK endpoints, including errors: without them a browser hides status and
 * limits from its SDK. The resource policy is for pages with a cross-origin embedder policy.
 */
const openHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'x-sentry-error, x-sentry-rate-limits, retry-after',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
} as const

/** The headers of nearly every answer. */
const openJsonHeaders = { 'content-type': 'application/json', ...openHeaders } as const

/** Request headers, methods and age are the same as in Relay. */
const preflightHeaders = {
  ...openHeaders,
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers':
    'x-sentry-auth, x-requested-with, x-forwarded-for, origin, referer, accept, content-type, authentication, ' +
    'authorization, content-encoding, transfer-encoding',
  'access-control-max-age': '3600',
} as const

/**
 * The tunnel is for pages of this server, and for pages that a project lists, whose answers have additional
 * headers.
 *
 * No `Cache-Control: no-store`, here or above: a POST is not cached anyway, and with it Chromium never
 * finishes a request whose answer has a body that no script reads.
 */
const tunnelHeaders = {
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
} as const

/** All headers of an answer except its length. */
export function answerHeaders(
  answer: IngestAnswer,
  target: IngestTarget,
  method: string,
): Record<string, string> {
  const headers = routeHeaders(target, method)
  if (answer.body.length === 0) return { ...headers, ...answer.headers }
  if (headers === openHeaders) return { ...openJsonHeaders, ...answer.headers }
  return { 'content-type': 'application/json', ...headers, ...answer.headers }
}

function routeHeaders(target: IngestTarget, method: string): Readonly<Record<string, string>> {
  if (target.route === 'tunnel') return tunnelHeaders
  return method === 'OPTIONS' ? preflightHeaders : openHeaders
}
