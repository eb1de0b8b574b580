import { setResponseStatus } from '@tanstack/react-start/server'
import type { Log } from '#server/log.ts'
import { captureServerError } from './capture.server.ts'
import { ServerFailure } from './failure.ts'

/**
 * Turns what a server function threw into the failure the browser may see: captured, logged once with its digest,
 * answered 500. Call it while the request is being handled.
 */
export function failServerFunction(thrown: unknown, log: Log): ServerFailure {
  if (thrown instanceof ServerFailure) return thrown
  const digest = captureServerError(thrown)
  log.error({ digest, err: thrown }, 'server function failed')
  setResponseStatus(500)
  return new ServerFailure({ digest, isTimeout: false })
}
