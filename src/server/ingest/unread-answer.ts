import type { IngestRequest } from './ingest-request.ts'

/**
 * True for Sentry's JavaScript SDK in a page. It reads status and headers of a response but never the body,
 * and an unread body makes Chromium reject its next requests:
 * docs/decisions/0058-responses-without-a-body.md. Other SDKs read the id: Sentry's for Dart returns it
 * to its caller.
 */
export function isAnswerUnread({ method, query, header }: IngestRequest): boolean {
  return (
    method === 'POST' && query.includes('sentry_client=sentry.javascript.') && header('origin') !== undefined
  )
}
