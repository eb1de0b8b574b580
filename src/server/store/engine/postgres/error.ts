import { errorMessage } from '#server/errors.ts'
import { findUnavailability } from '#server/store/errors.ts'

/** PostgreSQL rejected a statement, or could not be reached. */
export class PostgresError extends Error {
  override readonly name = 'PostgresError'
  /** SQLSTATE (postgresql.org/docs/current/errcodes-appendix.html), or a code of the operating system. */
  readonly code: string

  constructor(message: string, code: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}

/**
 * A driver's error as a `PostgresError`; other errors unchanged. The driver's own errors have no code. They
 * are about connections: SQLSTATE connection_failure, or invalid_password if the URL has none and the server
 * requires one.
 */
export function toPostgresError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof PostgresError || error instanceof TypeError) return error
  if ('code' in error && typeof error.code === 'string')
    return new PostgresError(messageOf(error), error.code, error)
  if (error.message.endsWith('password must be a string'))
    return new PostgresError('the server requires a password', '28P01', error)
  return new PostgresError(messageOf(error), '08006', error)
}

/** The same, but a `StoreUnavailableError` for failures of the server. */
export function toStoreError(error: unknown): unknown {
  const own = toPostgresError(error)
  return findUnavailability(own) ?? own
}

/** If every address of a host refuses the connection, the error has the individual errors and no message. */
function messageOf(error: Error): string {
  return error instanceof AggregateError ? error.errors.map(errorMessage).join(', ') : error.message
}
