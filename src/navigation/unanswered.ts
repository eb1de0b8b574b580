/**
 * A call of a server function that no server function answered: the network failed, or a proxy or the front
 * of the server answered with its own error.
 */
export class UnansweredError extends Error {
  /** Absent where nothing answered. */
  readonly status: number | undefined

  constructor({ status, cause }: { status?: number; cause?: unknown }) {
    super(
      status === undefined
        ? 'A server function was not answered'
        : `A server function was answered with status ${status}`,
      { cause },
    )
    this.name = 'UnansweredError'
    this.status = status
  }
}

const gatewayStatuses = new Set([502, 503, 504])

/** True where the server behind a proxy, or the network to it, is down: the error cannot be reported. */
export function isUnreachable(thrown: unknown): boolean {
  if (!(thrown instanceof UnansweredError)) return false
  return thrown.status === undefined || gatewayStatuses.has(thrown.status)
}
