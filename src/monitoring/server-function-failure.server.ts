import { setResponseStatus } from '@tanstack/react-start/server'
import { captureServerError } from './capture.server.ts'
import { failedAt, ServerFailure } from './failure.ts'

/**
 * Turns what a server function threw into the failure the browser may see: captured, and answered 500. Call
 * it while the request is being handled.
 */
export function failServerFunction(thrown: unknown): ServerFailure {
  if (thrown instanceof ServerFailure) return thrown
  const digest = captureServerError(thrown)
  setResponseStatus(500)
  return new ServerFailure({ digest, isTimeout: false, at: failedAt(thrown) })
}
