import { findUnavailability } from '#server/store/errors.ts'
import type { QueryResult } from './connection-message.ts'
import type { ConnectionWorker } from './connection-worker.ts'
import { SilentServerError } from './liveness/server-probe.ts'

/** Milliseconds between attempts, and the number of attempts. */
const [pauseMs, questionCount] = [100, 20] as const

/** A transaction whose connection was lost before the answer to COMMIT arrived. */
export interface LostCommit {
  transactionId: number
  /** See `ConnectionState`. */
  serverRun: string
}

/**
 * Returns whether a transaction is known to have been committed: its events must not be counted again when
 * the client repeats the request. Blocks for at most two seconds, and not for a server that does not answer.
 *
 * After a crash the server may reuse the id of a lost transaction, so the result is then unknown.
 */
export function isCommitted(
  { transactionId, serverRun }: LostCommit,
  error: unknown,
  worker: Pick<ConnectionWorker, 'request' | 'serverRun'>,
): boolean {
  if (findUnavailability(error)?.reason !== 'UNREACHABLE' || error instanceof SilentServerError) return false
  const values = [String(transactionId)]
  for (let question = 0; question < questionCount; question += 1) {
    const status = readStatus(() =>
      worker.request([{ sql: 'SELECT pg_xact_status($1::xid8) AS status', values }]),
    )
    if (worker.serverRun !== undefined && worker.serverRun !== serverRun) return false
    if (worker.serverRun !== undefined && status === 'committed') return true
    if (status === 'aborted' || status === 'silent') return false
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs)
  }
  return false
}

function readStatus(read: () => QueryResult[]): unknown {
  try {
    return read()[0]?.rows[0]?.['status']
  } catch (error) {
    return error instanceof SilentServerError ? 'silent' : undefined
  }
}
