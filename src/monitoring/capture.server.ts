import * as Sentry from '@sentry/tanstackstart-react'
import { ServerFailure, toDigest } from './failure.ts'

const digests = new WeakMap<object, string>()

/**
 * Captures an error on the server, once, and returns its digest. The same error seen again on its way out (server
 * function, loader, rendering, serialization) has the same digest. A thrown value that is no object is captured each time.
 */
export function captureServerError(thrown: unknown): string {
  if (thrown instanceof ServerFailure) return thrown.digest
  const known = typeof thrown === 'object' && thrown !== null ? digests.get(thrown) : undefined
  if (known !== undefined) return known
  const eventId = Sentry.captureException(thrown, { mechanism: { type: 'culvert.server', handled: false } })
  const digest = toDigest(eventId)
  if (typeof thrown === 'object' && thrown !== null) digests.set(thrown, digest)
  return digest
}
