import { appConfig } from '../../app.config.ts'

/** What a failure page may know of an error: never its message, never its stack. */
export interface Failure {
  side: 'server' | 'client'
  /** First digits of the event id under which the error was captured. */
  digest?: string
}

/** An error that was captured on the server: all that crosses to the browser is its digest. */
export class ServerFailure extends Error {
  readonly digest: string

  constructor(digest: string) {
    super(appConfig.failurePage.serverSentence)
    this.name = 'ServerFailure'
    this.digest = digest
  }
}

/** The digest of an event id: what a person reads out from a failure page. */
export function toDigest(eventId: string): string {
  return eventId.slice(0, appConfig.digestLength)
}

/** True for what TanStack Router throws to steer: a redirect, a not-found, an aborted load. None of them is an error. */
export function isControlFlow(thrown: unknown): boolean {
  if (thrown instanceof Response) return true
  if (typeof thrown !== 'object' || thrown === null) return false
  return ('isNotFound' in thrown && thrown.isNotFound === true) || ('name' in thrown && thrown.name === 'AbortError')
}
