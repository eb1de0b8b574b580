/**
 * A problem that the operator can solve: an invalid setting, a port in use, a directory that is not writable.
 * The process prints the message without a stack and exits with `exitCode`.
 */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'
  /** 2 for invalid arguments or settings, 1 for a problem of the machine. */
  readonly exitCode: number

  constructor(message: string, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}

/** The data directory is not writable: the disk of a serverless host, a mount, missing permissions. */
export class ReadOnlyDiskError extends OperatorError {}

/** The database is not of this version's schema, and this process does not migrate. */
export class SchemaError extends OperatorError {}

/** The message of a thrown value, for logs and operators. Never part of a response. */
export function errorMessage(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}

/** The system's error code (`EADDRINUSE`, `ERR_BUFFER_TOO_LARGE`), if there is one. */
export function errorCode(thrown: unknown): string | undefined {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return undefined
  return typeof thrown.code === 'string' ? thrown.code : undefined
}
