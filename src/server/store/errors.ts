/**
 * The store cannot write now for a reason outside the data: disk full, I/O error, file locked, read-only or
 * closed.
 *
 * Nothing of the rejected work was stored; the same work may succeed later. Clients get a Retry-After.
 */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError'
  readonly reason: UnavailableReason

  constructor(reason: UnavailableReason, cause?: unknown) {
    super(`the store cannot write: ${reason}`, { cause })
    this.reason = reason
  }
}

/** Primary result codes (sqlite.org/rescode.html) that speak of the machine and not of the statement. */
const unavailableCodes = {
  5: 'BUSY',
  6: 'LOCKED',
  7: 'NOMEM',
  8: 'READONLY',
  10: 'IOERR',
  11: 'CORRUPT',
  13: 'FULL',
  14: 'CANTOPEN',
  15: 'PROTOCOL',
  26: 'NOTADB',
} as const

/**
 * SQLite's primary result code; `CLOSED` after the store was; `LOW_SPACE` where the disk is not full yet but
 * must not become so.
 */
export type UnavailableReason =
  | (typeof unavailableCodes)[keyof typeof unavailableCodes]
  | 'CLOSED'
  | 'LOW_SPACE'

/** The typed error for a failure of the environment; undefined when the statement or its data is to blame. */
export function findUnavailability(error: unknown): StoreUnavailableError | undefined {
  if (error instanceof StoreUnavailableError) return error
  if (!(error instanceof Error) || !('code' in error)) return undefined
  if (error.code === 'ERR_INVALID_STATE') return new StoreUnavailableError('CLOSED', error)
  const code = primaryCode(error)
  if (!isUnavailableCode(code)) return undefined
  return new StoreUnavailableError(unavailableCodes[code], error)
}

/** True when another connection holds the lock this statement needs. */
export function isBusyError(error: unknown): boolean {
  return error instanceof Error && primaryCode(error) === 5
}

/** Extended result codes carry the primary one in their lowest byte. */
function primaryCode(error: Error): number | undefined {
  return 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : undefined
}

function isUnavailableCode(code: number | undefined): code is keyof typeof unavailableCodes {
  return code !== undefined && Object.hasOwn(unavailableCodes, code)
}
