import { createIsomorphicFn } from '@tanstack/react-start'

import { captureClientError } from './browser.ts'
import { captureServerError } from './capture.server.ts'
import { type Failure, ServerFailure } from './failure.ts'

/**
 * What the failure page shows for an error that reached it: captures the error where it happened and answers with
 * the side and the digest. An error that came from the server brings its digest along.
 */
export const failureOf = createIsomorphicFn()
  .server((thrown: unknown): Required<Failure> => ({ side: 'server', digest: captureServerError(thrown) }))
  .client((thrown: unknown): Required<Failure> => {
    if (thrown instanceof ServerFailure) return { side: 'server', digest: thrown.digest }
    return { side: 'client', digest: captureClientError(thrown) }
  })
