import { createIsomorphicFn } from '@tanstack/react-start'
import { isUnreachable, UnansweredError } from '#navigation/unanswered.ts'
import { captureClientError } from './browser.ts'
import { captureServerError } from './capture.server.ts'
import { type Failure, failedAt, isLoadTimeout, isStoreUnavailable, ServerFailure } from './failure.ts'

/**
 * The data of the failure page for an error: captures the error where it happened and returns the side, the
 * digest and the time. An error from the server contains its digest.
 */
export const failureOf = createIsomorphicFn()
  .server((thrown: unknown): Failure => ({
    side: 'server',
    digest: captureServerError(thrown),
    isTimeout: isLoadTimeout(thrown),
    isUnavailable: isStoreUnavailable(thrown),
    at: failedAt(thrown),
  }))
  .client((thrown: unknown): Failure => {
    const isServerSide = thrown instanceof ServerFailure || thrown instanceof UnansweredError
    const digest = thrown instanceof ServerFailure ? thrown.digest : captureReachable(thrown)
    return {
      side: isServerSide ? 'server' : 'client',
      digest,
      isTimeout: isLoadTimeout(thrown),
      isUnavailable: isStoreUnavailable(thrown),
      at: failedAt(thrown),
    }
  })

/** If the server cannot be reached, the report could not be sent: its digest would not exist. */
function captureReachable(thrown: unknown): string | undefined {
  return isUnreachable(thrown) ? undefined : captureClientError(thrown)
}
