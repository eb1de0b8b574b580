import { findIngestTarget } from '#server/http/ingest-path.ts'
import { normalizeTarget } from '#server/http/request-target.ts'
import { tryLater, type IngestAnswer } from '#server/ingest/ingest-answer.ts'
import type { IngestTarget } from '#server/ingest/ingest-request.ts'
import { openToAll } from '#server/ingest/tunnel.ts'
import type { ClosedReason } from '#server/own-services.ts'
import { appConfig } from '../../../../app.config.ts'
import { answerHeaders } from './headers.ts'
import { createNonce, setSecurityHeaders } from './security-headers.ts'

/** Sent to clients, so without paths and settings, which are only logged. */
const sentences = {
  no_database:
    `${appConfig.name} has no database here: set DATABASE_URL to the URL of a PostgreSQL database, or, on a host with a ` +
    'disk, CULVERT_DATA_DIR to a directory that it can write to.',
  wrong_schema:
    `The schema of the database is not the one that this version of ${appConfig.name} needs: run "culvert migrate" of ` +
    'this version with the same DATABASE_URL, or deploy the newer version that the schema belongs to.',
  cannot_start: `${appConfig.name} cannot start at the moment. Its log says why.`,
} as const satisfies Record<ClosedReason, string>

/**
 * The answer to every request while there are no services: 503 with the reason, as a page or as JSON. SDKs
 * get 429, like from a server whose store is unavailable, unless the operator has not set a database.
 */
export function answerClosed(request: Request, reason: ClosedReason): Response {
  const detail = sentences[reason]
  const { path = '' } = normalizeTarget(new URL(request.url).pathname) ?? {}
  const target = findIngestTarget(path)
  if (target !== undefined) {
    const answer = toIngestAnswer(reason, target)
    const { status } = answer
    const headers = new Headers(answerHeaders(answer, target, request.method))
    return respond(request, JSON.stringify({ detail }), { status, headers })
  }
  const isPage = request.headers.get('accept')?.includes('text/html') === true
  const headers = new Headers({
    'content-type': isPage ? 'text/html; charset=utf-8' : 'application/json',
    'cache-control': 'no-store',
  })
  if (isTemporary(reason)) headers.set('retry-after', String(appConfig.unavailableRetrySeconds))
  setSecurityHeaders(headers, { nonce: createNonce(), url: request.url })
  return respond(request, isPage ? renderPage(detail) : JSON.stringify({ detail }), { status: 503, headers })
}

/** Each request tries to open the database again, because the reason may have been resolved. */
function isTemporary(reason: ClosedReason): boolean {
  return reason !== 'no_database'
}

function toIngestAnswer(reason: ClosedReason, { route }: IngestTarget): IngestAnswer {
  const detail = sentences[reason]
  if (!isTemporary(reason)) return { status: 503, headers: {}, body: JSON.stringify({ detail }) }
  const answer = tryLater(detail)
  return route === 'tunnel' ? openToAll(answer) : answer
}

function respond(request: Request, body: string, init: { status: number; headers: Headers }): Response {
  return new Response(request.method === 'HEAD' ? null : body, init)
}

/** Unstyled, because it must not depend on anything that could be missing. */
function renderPage(detail: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Not running · ${appConfig.name}</title>
</head>
<body>
<main>
<h1>${appConfig.name} is not running</h1>
<p>${detail}</p>
</main>
</body>
</html>
`
}
