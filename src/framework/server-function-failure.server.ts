import { setResponseStatus } from '@tanstack/react-start/server'
import { captureServerError } from '#monitoring/capture.server.ts'
import { failedAt, ServerFailure } from '#monitoring/failure.ts'

/**
 * Turns an error of a server function into the failure that the browser may see: captured, and with status
 * 500. Start answers it with 200 and logs nothing. Call it while the request is being handled.
 *
 * https://github.com/TanStack/router/issues/6554
 */
export function failServerFunction(thrown: unknown): ServerFailure {
  if (thrown instanceof ServerFailure) return thrown
  const digest = captureServerError(thrown)
  setResponseStatus(500)
  return new ServerFailure({ digest, isTimeout: false, at: failedAt(thrown) })
}
