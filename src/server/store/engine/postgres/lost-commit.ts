import { findUnavailability } from '#server/store/errors.ts'
import type { ConnectionStatement, QueryResult } from './connection-message.ts'

/** Milliseconds between questions for a transaction, and how many are asked. */
const [pauseMs, questionCount] = [100, 20] as const

/**
 * Returns whether a transaction has been committed whose connection was lost before the answer arrived: its
 * events must not be counted a second time by the client's repetition. Blocks for two seconds at most.
 */
export function isCommitted(
  transactionId: number,
  error: unknown,
  request: (statements: ConnectionStatement[]) => QueryResult[],
): boolean {
  if (findUnavailability(error)?.reason !== 'UNREACHABLE') return false
  const values = [String(transactionId)]
  for (let question = 0; question < questionCount; question += 1) {
    const status = readStatus(() => request([{ sql: 'SELECT pg_xact_status($1::xid8) AS status', values }]))
    if (status === 'committed') return true
    if (status === 'aborted') return false
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs)
  }
  return false
}

function readStatus(read: () => QueryResult[]): unknown {
  try {
    return read()[0]?.rows[0]?.['status']
  } catch {
    return undefined
  }
}
