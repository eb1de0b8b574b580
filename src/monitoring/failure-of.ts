import { createIsomorphicFn } from '@tanstack/react-start'
import { captureClientError } from './browser.ts'
import { captureServerError } from './capture.server.ts'
import { type Failure, failedAt, isLoadTimeout, ServerFailure } from './failure.ts'

/**
 * What the failure page shows for an error that reached it: captures the error where it happened and answers with
 * the side, the digest and the time. An error that came from the server brings its digest along.
 */
export const failureOf = createIsomorphicFn()
  .server((thrown: unknown): Failure => ({
    side: 'server',
    digest: captureServerError(thrown),
    isTimeout: isLoadTimeout(thrown),
    at: failedAt(thrown),
  }))
  .client((thrown: unknown): Failure => {
    const isServerSide = thrown instanceof ServerFailure
    return {
      side: isServerSide ? 'server' : 'client',
      digest: isServerSide ? thrown.digest : captureClientError(thrown),
      isTimeout: isLoadTimeout(thrown),
      at: failedAt(thrown),
    }
  })
