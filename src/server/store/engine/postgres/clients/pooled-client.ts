import { DatabaseError, type QueryResult } from 'pg'
import { toStoreError } from '#server/store/engine/postgres/error.ts'
import { SilentServerError } from '#server/store/engine/postgres/liveness/server-probe.ts'
import type { ServerWatch } from '#server/store/engine/postgres/liveness/server-watch.ts'
import type { NamedReads } from '#server/store/engine/postgres/statements/named-reads.ts'
import type { SharedClient, SharedClients } from './shared-clients.ts'

/** SQLSTATEs with which a server closes a connection: shutdown, session time-outs, connection errors. */
const endOfConnection = /^(?:57P0|25P0[34]|08)/

/** Runs the statements of one reader. */
export interface ReadClient {
  /** Runs a statement that reads, or that begins or ends a transaction of reads. */
  query(sql: string, values: unknown[]): Promise<QueryResult<Record<string, unknown>>>
  /** Call when the reader has finished. */
  release(): void
}

export interface PooledClientOptions {
  clients: SharedClients
  /** The watch of the pool's server. */
  watch: ServerWatch
  /** Of the pool. */
  reads: NamedReads
}

/**
 * A client that a pool lends for the statements of one reader. A connection that was lost while it was idle,
 * or while the process was suspended, is replaced without an error.
 */
export class PooledClient implements ReadClient {
  private readonly clients: SharedClients
  private readonly watch: ServerWatch
  private readonly reads: NamedReads
  private shared: SharedClient | undefined
  private isTransaction = false

  constructor({ clients, watch, reads }: PooledClientOptions) {
    this.clients = clients
    this.watch = watch
    this.reads = reads
  }

  /**
   * Runs a statement that reads, or that begins or ends a transaction of reads. Throws a
   * `StoreUnavailableError` or a `PostgresError`.
   */
  async query(sql: string, values: unknown[]): Promise<QueryResult<Record<string, unknown>>> {
    for (let attempt = 0; ; attempt += 1) {
      const shared = (this.shared ??= this.clients.borrow({ isShared: !sql.startsWith('BEGIN') }))
      const client = await shared.client
      try {
        const result = await this.watch.during(() => this.reads.query(client, sql, values))
        if (/^(?:BEGIN|COMMIT|ROLLBACK)\b/.test(sql)) this.isTransaction = sql.startsWith('BEGIN')
        return result
      } catch (error) {
        if (!isLost(error) && !isOutdated(error)) throw toStoreError(error)
        this.shared = undefined
        this.clients.discard(shared)
        // Every connection of the pool may have been lost at the same time.
        if (this.isTransaction || isUnanswered(error) || attempt >= this.clients.size)
          throw toStoreError(error)
      }
    }
  }

  release(): void {
    if (this.shared !== undefined) this.clients.giveBack(this.shared)
    this.shared = undefined
  }
}

/**
 * True for a silent server, and for the driver's error about `query_timeout`, which has no code. Another
 * attempt would take as long.
 */
function isUnanswered(error: unknown): boolean {
  return (
    error instanceof SilentServerError || (error instanceof Error && error.message === 'Query read timeout')
  )
}

/** True if a migration has changed the columns that a prepared statement returns. */
export function isOutdated(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery'
}

/** True for an error about the connection. The driver's own errors have no SQLSTATE. */
export function isLost(error: unknown): boolean {
  if (error instanceof DatabaseError) return endOfConnection.test(error.code ?? '')
  return error instanceof Error && !(error instanceof TypeError)
}
