import { isNotFound, isRedirect } from '@tanstack/react-router'
import { failureOf } from '#monitoring/failure-of.ts'
import { failedOffline } from '#navigation/connection.ts'
import { isUnreachable } from '#navigation/unanswered.ts'
import type { FormFailure } from '#server/forms/form-views.ts'
import { appConfig } from '../../../app.config.ts'
import { FormTooLargeError } from './send-form.ts'

const notThere = 'This no longer exists.'

/** Explains why a change failed. `notDone` names the change: `Couldn’t change the status.` */
export function describeFailure(notDone: string, thrown: unknown): FormFailure {
  if (isNotFound(thrown)) return { text: `${notDone} ${notThere}` }
  // A server function redirects to the sign-in page when the session has ended.
  if (isRedirect(thrown)) return sessionEnded(notDone)
  if (failedOffline(thrown)) return { text: `${notDone} You’re offline.` }
  if (isUnanswered(thrown)) {
    return {
      text: 'No response from the server. Your change may or may not have been saved.',
    }
  }
  if (thrown instanceof FormTooLargeError) {
    return { text: `${notDone} ${appConfig.formTooLarge}` }
  }
  const { side, digest } = failureOf(thrown)
  return {
    text: side === 'server' ? `${notDone} ${appConfig.failurePage.functionSentence}` : notDone,
    digest,
  }
}

/** The failure of a change that requires a session. Only in the browser. */
export function sessionEnded(notDone: string): FormFailure {
  const { pathname, search } = location
  const signInHref = `/login?to=${encodeURIComponent(pathname + search)}`
  return { text: `${notDone} Your session has ended.`, signInHref }
}

/** True for an unreachable server, a network error of fetch, and a timeout. */
function isUnanswered(thrown: unknown): boolean {
  if (isUnreachable(thrown) || thrown instanceof TypeError) return true
  return thrown instanceof DOMException && thrown.name === 'TimeoutError'
}
