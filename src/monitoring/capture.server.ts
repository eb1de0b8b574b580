import * as Sentry from '@sentry/tanstackstart-react'
import { isUnreadableCall } from '#framework/server-function-call.server.ts'
import { ServerFailure, toDigest } from './failure.ts'

const digests = new WeakMap<object, string>()

/**
 * Captures an error on the server, once, and returns its digest. The same error seen again on its way out
 * (server function, loader, rendering, serialization) has the same digest. A thrown value that is not an
 * object is captured each time. The SDK's setup also logs captured errors.
 *
 * An error of an unreadable call is a client error: it gets a digest without an event.
 */
export function captureServerError(thrown: unknown, request?: { url: string; method: string }): string {
  if (thrown instanceof ServerFailure) return thrown.digest
  const known = typeof thrown === 'object' && thrown !== null ? digests.get(thrown) : undefined
  if (known !== undefined) return known
  if (isUnreadableCall()) return toDigest(crypto.randomUUID().replaceAll('-', ''))
  const eventId = Sentry.captureException(thrown, {
    mechanism: { type: 'culvert.server', handled: false },
    ...(request !== undefined && { captureContext: { contexts: { request: { ...request } } } }),
  })
  const digest = toDigest(eventId)
  if (typeof thrown === 'object' && thrown !== null) digests.set(thrown, digest)
  return digest
}
