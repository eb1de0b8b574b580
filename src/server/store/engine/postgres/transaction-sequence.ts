import type { SqlInput } from '#server/store/engine/connection.ts'
import type { WritesOfOthers } from '#server/store/engine/engine.ts'
import type { QueryResult } from './connection-message.ts'
import type { NumberedTransaction } from './project-locks.ts'

/**
 * The number of heartbeats that may lie between two transactions for the caches of the first to be valid in
 * the second, and the milliseconds after which a failed check is repeated: it fails while other processes
 * write.
 */
const maxHeartbeats = 8
const heartbeatCheckMs = 1_000

/** What a transaction of ingest has found at its begin. */
interface FoundAtBegin {
  transaction: NumberedTransaction | undefined
  /** The number of transactions that ever excluded all other writers. */
  exclusiveWrites: number
  /** The run of the server that the connection is to; undefined if it is unknown. */
  serverRun: string | undefined
}

/**
 * The transactions of one connection, by which it knows what other connections may have written between two
 * of them. Every transaction that writes gets its id after its locks; later transactions have higher ids.
 */
export class TransactionSequence {
  private readonly query: (sql: string, values: readonly SqlInput[]) => QueryResult
  private transaction: NumberedTransaction | undefined
  /** The last transaction, if it was committed and its id is known; and the one before. */
  private committed: NumberedTransaction | undefined
  private former: NumberedTransaction | undefined
  /** See `isAlone`; undefined before its first call. */
  private wasAlone: boolean | undefined
  /** The count of the previous transaction, with its server, and whether this one found the same. */
  private exclusiveWrites: string | undefined
  private hasSameExclusiveWrites = false
  private nextHeartbeatCheckAt = 0

  /** `query` runs a statement in the transaction. */
  constructor(query: (sql: string, values: readonly SqlInput[]) => QueryResult) {
    this.query = query
  }

  /** The running transaction, if its id is known. */
  get current(): NumberedTransaction | undefined {
    return this.transaction
  }

  /** Call before a transaction begins. */
  willBegin(): void {
    this.transaction = undefined
    this.former = this.committed
    this.wasAlone = undefined
    this.hasSameExclusiveWrites = false
  }

  /** Call after a transaction has begun that excludes all other writers. */
  hasBegunExclusive(): void {
    this.committed = undefined
  }

  /** Call after a transaction of ingest has begun. */
  hasBegun({ transaction, exclusiveWrites, serverRun }: FoundAtBegin): void {
    this.committed = undefined
    this.transaction = transaction
    // A server that was restored from a backup may have lost both rows and counts.
    const seen = `${serverRun} ${transaction?.serverStart} ${exclusiveWrites}`
    this.hasSameExclusiveWrites = serverRun !== undefined && seen === this.exclusiveWrites
    this.exclusiveWrites = seen
  }

  /** Call after a commit. A harmless transaction leaves the caches of the one before it valid. */
  hasCommitted({ isHarmless }: { isHarmless: boolean }): void {
    this.committed = isHarmless ? this.former : this.transaction
  }

  /**
   * Call after a transaction has begun: returns what others may have written since the last transaction of
   * this connection, if that was committed. Only transactions that exclude all other writers delete rows that
   * ingest writes, and each of these is counted once it has its lock. Ingest also removes hashes from
   * sketches of users, but never adds them again.
   */
  findWritesOfOthers(): WritesOfOthers {
    if (this.isAlone()) return 'none'
    return this.former !== undefined && this.hasSameExclusiveWrites ? 'noDeletions' : 'any'
  }

  /**
   * Returns true if nothing but heartbeats of processes was written since the last committed transaction of
   * this connection.
   *
   * Every transaction that writes holds its locks until it ends. Between two with consecutive ids, none has
   * begun; one that began before the first and ends after it writes rows of other projects. The last
   * transaction that wrote a row is the row's `xmin`. None of this is true of transactions that share
   * projects.
   */
  private isAlone(): boolean {
    if (this.transaction?.isShared === true || this.former?.isShared === true) return false
    this.wasAlone ??= this.findAlone()
    return this.wasAlone
  }

  private findAlone(): boolean {
    const { former } = this
    // Also for the next transaction.
    this.transaction ??= this.findTransaction()
    const { id, serverStart } = this.transaction
    if (former?.serverStart !== serverStart) return false
    const between = id - former.id - 1
    if (between === 0) return true
    const now = performance.now()
    if (between > maxHeartbeats || now < this.nextHeartbeatCheckAt) return false
    this.nextHeartbeatCheckAt = now + heartbeatCheckMs
    const ids = Array.from({ length: between }, (_, at) => (former.id + 1 + at) % 2 ** 32)
    const sql = 'SELECT count(DISTINCT xmin::text) AS n FROM processes WHERE xmin::text = ANY ($1::text[])'
    return this.query(sql, [`{${ids.join(',')}}`]).rows[0]?.['n'] === between
  }

  private findTransaction(): NumberedTransaction {
    const sql =
      'SELECT pg_current_xact_id()::text::bigint AS id, pg_postmaster_start_time()::text AS server_start'
    const [row] = this.query(sql, []).rows
    return { id: Number(row?.['id']), serverStart: String(row?.['server_start']) }
  }
}
