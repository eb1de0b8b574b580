/**
 * The store currently cannot write, or read, for a reason outside of the data: disk full, I/O error, file
 * locked, server unreachable, read-only or closed.
 *
 * Nothing of the rejected work was stored; a retry may succeed later. Clients receive a Retry-After.
 */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError'
  readonly reason: UnavailableReason

  constructor(reason: UnavailableReason, cause?: unknown) {
    super(`the store is not available: ${reason}`, { cause })
    this.reason = reason
  }
}

/** Primary result codes (sqlite.org/rescode.html) that are caused by the machine and not by the statement. */
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
 * Prefixes of SQLSTATEs and network errors that are caused by the server; the first match counts. Codes of
 * the operating system begin with E, SQLSTATEs do not.
 */
const serverCodes: readonly (readonly [start: string, reason: UnavailableReason])[] = [
  ['40001', 'BUSY'],
  ['40P01', 'BUSY'],
  ['55P03', 'BUSY'],
  ['57014', 'BUSY'],
  ['25006', 'READONLY'],
  ['42501', 'READONLY'],
  ['53100', 'FULL'],
  ['53300', 'UNREACHABLE'],
  ['53', 'NOMEM'],
  ['57P', 'UNREACHABLE'],
  ['08', 'UNREACHABLE'],
  ['25P03', 'UNREACHABLE'],
  ['25P04', 'UNREACHABLE'],
  // The role or the database of the URL was changed or removed.
  ['28', 'UNREACHABLE'],
  ['3D000', 'UNREACHABLE'],
  ['58', 'IOERR'],
  ['XX001', 'CORRUPT'],
  ['XX002', 'CORRUPT'],
  // Poolers and managed servers use it for connections that they cannot establish.
  ['XX000', 'UNREACHABLE'],
  ['CLOSED', 'CLOSED'],
  ['E', 'UNREACHABLE'],
]

/**
 * SQLite's primary result code; `CLOSED` for a closed store; `LOW_SPACE` for a disk that is not full yet but
 * must not become full.
 */
export type UnavailableReason =
  | (typeof unavailableCodes)[keyof typeof unavailableCodes]
  | 'CLOSED'
  | 'UNREACHABLE'
  | 'LOW_SPACE'

/** The typed error for a failure of the environment; undefined if the statement or its data caused it. */
export function findUnavailability(error: unknown): StoreUnavailableError | undefined {
  if (error instanceof StoreUnavailableError) return error
  if (!(error instanceof Error) || !('code' in error)) return undefined
  if (error.code === 'ERR_INVALID_STATE') return new StoreUnavailableError('CLOSED', error)
  const reason = reasonOfServer(error)
  if (reason !== undefined) return new StoreUnavailableError(reason, error)
  const code = primaryCode(error)
  if (!isUnavailableCode(code)) return undefined
  return new StoreUnavailableError(unavailableCodes[code], error)
}

/** True if another connection holds the lock that this statement needs. */
export function isBusyError(error: unknown): boolean {
  return error instanceof Error && (primaryCode(error) === 5 || reasonOfServer(error) === 'BUSY')
}

/**
 * True if a statement failed because of a concurrent transaction: a deadlock, a serialization failure or a
 * unique key. A retry of the transaction may succeed.
 */
export function isRace(error: unknown): boolean {
  return (
    error instanceof Error &&
    error.name === 'PostgresError' &&
    'code' in error &&
    ['40P01', '40001', '23505'].includes(String(error.code))
  )
}

/** True if a statement waited for a row or a lock of another transaction for longer than it may. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'PostgresError' && 'code' in error && error.code === '55P03'
}

function reasonOfServer(error: Error): UnavailableReason | undefined {
  if (error.name !== 'PostgresError' || !('code' in error)) return undefined
  const code = String(error.code)
  return serverCodes.find(([start]) => code.startsWith(start))?.[1]
}

/** Extended result codes contain the primary one in their lowest byte. */
function primaryCode(error: Error): number | undefined {
  return 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : undefined
}

function isUnavailableCode(code: number | undefined): code is keyof typeof unavailableCodes {
  return code !== undefined && Object.hasOwn(unavailableCodes, code)
}
