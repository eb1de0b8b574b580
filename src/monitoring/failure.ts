import { LoadTimeoutError } from '#navigation/load-limit.ts'
import { appConfig } from '../../app.config.ts'

/** The data of an error that a failure page may have: neither its message nor its stack. */
export interface Failure {
  side: 'server' | 'client'
  /**
   * First digits of the event id under which the error was captured; absent where the server could not be
   * reached.
   */
  digest?: string | undefined
  /** The page ran into the time limit. */
  isTimeout: boolean
  /** The database is unavailable: the page may work in a moment. */
  isUnavailable: boolean
  /** When it was met first. Unix milliseconds. */
  at: number
}

/**
 * An error that was captured on the server: all that crosses to the browser is its digest, its time, and
 * whether a retry may succeed.
 */
export class ServerFailure extends Error {
  readonly digest: string
  readonly isTimeout: boolean
  readonly isUnavailable: boolean
  readonly at: number

  constructor(failure: Pick<Failure, 'isTimeout' | 'isUnavailable' | 'at'> & { digest: string }) {
    super(appConfig.failurePage.serverSentence)
    this.name = 'ServerFailure'
    this.digest = failure.digest
    this.isTimeout = failure.isTimeout
    this.isUnavailable = failure.isUnavailable
    this.at = failure.at
  }
}

/** The digest of an event id, as a failure page shows it. */
export function toDigest(eventId: string): string {
  return eventId.slice(0, appConfig.digestLength)
}

const firstMetAt = new WeakMap<object, number>()

/** When an error was first seen. Unix milliseconds. */
export function failedAt(thrown: unknown): number {
  if (thrown instanceof ServerFailure) return thrown.at
  if (typeof thrown !== 'object' || thrown === null) return Date.now()
  const at = firstMetAt.get(thrown) ?? Date.now()
  firstMetAt.set(thrown, at)
  return at
}

/** True for a load that ran into the time limit, here or on the server. */
export function isLoadTimeout(thrown: unknown): boolean {
  if (thrown instanceof LoadTimeoutError) return true
  // A read that waited too long for its turn; its class is the server's alone (store/paced-lock.ts).
  if (thrown instanceof Error && thrown.name === 'ReadTimeoutError') return true
  return thrown instanceof ServerFailure && thrown.isTimeout
}

/** True where the database is unavailable. The error's class is the server's alone (store/errors.ts). */
export function isStoreUnavailable(thrown: unknown): boolean {
  if (thrown instanceof ServerFailure) return thrown.isUnavailable
  return thrown instanceof Error && thrown.name === 'StoreUnavailableError'
}

/**
 * True for what TanStack Router throws to steer: a redirect, a not-found, an aborted load. None of them is an
 * error.
 */
export function isControlFlow(thrown: unknown): boolean {
  if (thrown instanceof Response) return true
  if (typeof thrown !== 'object' || thrown === null) return false
  return (
    ('isNotFound' in thrown && thrown.isNotFound === true) ||
    ('name' in thrown && thrown.name === 'AbortError')
  )
}
