/**
 * Something the operator can put right: a bad setting, a port in use, a directory that cannot be written. Its
 * message is printed as it stands, without a stack, and the process ends with `exitCode`.
 */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'
  /** 2 for wrong arguments or settings, 1 for a machine that does not let us start. */
  readonly exitCode: number

  constructor(message: string, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}

/**
 * The data directory cannot be written at all: a serverless host's disk, a read-only mount, somebody else's
 * folder.
 */
export class ReadOnlyDiskError extends OperatorError {}

/** A thrown value's message, for logs and operators only: it never goes into an answer. */
export function errorMessage(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}

/** The system's code of a thrown value (`EADDRINUSE`, `ERR_BUFFER_TOO_LARGE`), when it has one. */
export function errorCode(thrown: unknown): string | undefined {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return undefined
  return typeof thrown.code === 'string' ? thrown.code : undefined
}
