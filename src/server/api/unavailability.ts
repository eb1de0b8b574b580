import { ReadTimeoutError } from '#server/store/engine/sqlite/paced-lock.ts'
import { findUnavailability } from '#server/store/errors.ts'
import { appConfig } from '../../../app.config.ts'

/** Why a request fails that may succeed in a few seconds, as a sentence. Undefined for any other error. */
export function describeUnavailability(thrown: unknown): string | undefined {
  if (findUnavailability(thrown) !== undefined) return appConfig.failurePage.unavailableSentence
  return thrown instanceof ReadTimeoutError
    ? 'The server has more to read than it can at the moment. Try again in a few seconds.'
    : undefined
}
