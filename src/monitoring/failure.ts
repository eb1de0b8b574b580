import { LoadTimeoutError } from '#navigation/load-limit.ts'
import { appConfig } from '../../app.config.ts'

/** The data of an error that a failure page may show: neither its message nor its stack. */
export interface Failure {
  side: 'server' | 'client'
  /** First digits of the event id of the captured error; absent if the server was unreachable. */
  digest?: string | undefined
  /** The page exceeded the time limit. */
  isTimeout: boolean
  /** The database is unavailable: the page may work in a moment. */
  isUnavailable: boolean
  /** When the error was first seen. Unix milliseconds. */
  at: number
}

/**
 * An error that was captured on the server. The browser receives only its digest, its time, and whether a
 * retry may succeed.
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

/** True for a load that exceeded the time limit, in the browser or on the server. */
export function isLoadTimeout(thrown: unknown): boolean {
  if (thrown instanceof LoadTimeoutError) return true
  // A read that waited too long for the lock; its class exists only on the server (store/paced-lock.ts).
  if (thrown instanceof Error && thrown.name === 'ReadTimeoutError') return true
  return thrown instanceof ServerFailure && thrown.isTimeout
}

/** True where the database is unavailable. The error's class exists only on the server (store/errors.ts). */
export function isStoreUnavailable(thrown: unknown): boolean {
  if (thrown instanceof ServerFailure) return thrown.isUnavailable
  return thrown instanceof Error && thrown.name === 'StoreUnavailableError'
}

/**
 * True for values that TanStack Router throws for control flow: a redirect, a not-found, an aborted load.
 * They are not errors.
 */
export function isControlFlow(thrown: unknown): boolean {
  if (thrown instanceof Response) return true
  if (typeof thrown !== 'object' || thrown === null) return false
  return (
    ('isNotFound' in thrown && thrown.isNotFound === true) ||
    ('name' in thrown && thrown.name === 'AbortError')
  )
}
