import { LoadTimeoutError } from '#navigation/load-limit.ts'
import { appConfig } from '../../app.config.ts'

/** What a failure page may know of an error: never its message, never its stack. */
export interface Failure {
  side: 'server' | 'client'
  /** First digits of the event id under which the error was captured. */
  digest: string
  /** The page ran into the time limit. */
  isTimeout: boolean
}

/** An error that was captured on the server: all that crosses to the browser is its digest and whether it took too long. */
export class ServerFailure extends Error {
  readonly digest: string
  readonly isTimeout: boolean

  constructor(failure: Pick<Failure, 'digest' | 'isTimeout'>) {
    super(appConfig.failurePage.serverSentence)
    this.name = 'ServerFailure'
    this.digest = failure.digest
    this.isTimeout = failure.isTimeout
  }
}

/** The digest of an event id: what a person reads out from a failure page. */
export function toDigest(eventId: string): string {
  return eventId.slice(0, appConfig.digestLength)
}

/** True for a load that ran into the time limit, here or on the server. */
export function isLoadTimeout(thrown: unknown): boolean {
  return thrown instanceof LoadTimeoutError || (thrown instanceof ServerFailure && thrown.isTimeout)
}

/** True for what TanStack Router throws to steer: a redirect, a not-found, an aborted load. None of them is an error. */
export function isControlFlow(thrown: unknown): boolean {
  if (thrown instanceof Response) return true
  if (typeof thrown !== 'object' || thrown === null) return false
  return (
    ('isNotFound' in thrown && thrown.isNotFound === true) ||
    ('name' in thrown && thrown.name === 'AbortError')
  )
}
