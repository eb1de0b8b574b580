import { setResponseHeader, setResponseStatus } from '@tanstack/react-start/server'
import { captureServerError } from '#monitoring/capture.server.ts'
import { failedAt, isStoreUnavailable, ServerFailure } from '#monitoring/failure.ts'
import { appConfig } from '../../app.config.ts'

/**
 * Turns an error of a server function into the failure that the browser may see: captured, and with status
 * 500, or 503 if the database is unavailable. Start answers it with 200 and logs nothing. Call it while
 * the request is being handled.
 *
 * https://github.com/TanStack/router/issues/6554
 */
export function failServerFunction(thrown: unknown): ServerFailure {
  if (thrown instanceof ServerFailure) return thrown
  const digest = captureServerError(thrown)
  const isUnavailable = isStoreUnavailable(thrown)
  setResponseStatus(isUnavailable ? 503 : 500)
  if (isUnavailable) setResponseHeader('retry-after', String(appConfig.unavailableRetrySeconds))
  return new ServerFailure({ digest, isTimeout: false, isUnavailable, at: failedAt(thrown) })
}
