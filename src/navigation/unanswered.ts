/**
 * A server function call without a reply of the function: the network failed, or a proxy or the server's
 * front answered with its own error.
 */
export class UnansweredError extends Error {
  /** Absent if there was no response. */
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

/** True if the server behind a proxy, or the network to it, is down: the error cannot be reported. */
export function isUnreachable(thrown: unknown): boolean {
  if (!(thrown instanceof UnansweredError)) return false
  return thrown.status === undefined || gatewayStatuses.has(thrown.status)
}
