import { DatabaseError } from 'pg'
import type { Pool, PoolClient, QueryResult } from 'pg'
import { toStoreError } from './error.ts'
import { SilentServerError } from './liveness/server-probe.ts'
import type { ServerWatch } from './liveness/server-watch.ts'
import type { NamedReads } from './statements/named-reads.ts'

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
  pool: Pool
  /** The watch of the pool's server. */
  watch: ServerWatch
  /** Of the pool. */
  reads: NamedReads
  /** When each client of the pool was last released, by the monotonic clock. */
  releasedAt: WeakMap<PoolClient, number>
}

/**
 * A client that a pool lends for the statements of one reader. A connection that was lost while it was idle,
 * or while the process was suspended, is replaced without an error.
 */
export class PooledClient implements ReadClient {
  private readonly pool: Pool
  private readonly watch: ServerWatch
  private readonly reads: NamedReads
  private readonly releasedAt: WeakMap<PoolClient, number>
  private client: PoolClient | undefined
  private isTransaction = false

  constructor({ pool, watch, reads, releasedAt }: PooledClientOptions) {
    this.pool = pool
    this.watch = watch
    this.reads = reads
    this.releasedAt = releasedAt
  }

  /**
   * Runs a statement that reads, or that begins or ends a transaction of reads. Throws a
   * `StoreUnavailableError` or a `PostgresError`.
   */
  async query(sql: string, values: unknown[]): Promise<QueryResult<Record<string, unknown>>> {
    for (let attempt = 0; ; attempt += 1) {
      const client = (this.client ??= await this.connect())
      try {
        const result = await this.watch.during(() => this.reads.query(client, sql, values))
        if (/^(?:BEGIN|COMMIT|ROLLBACK)\b/.test(sql)) this.isTransaction = sql.startsWith('BEGIN')
        return result
      } catch (error) {
        if (!isLost(error) && !isOutdated(error)) throw toStoreError(error)
        this.client = undefined
        client.release(true)
        // Every connection of the pool may have been lost at the same time.
        if (this.isTransaction || isUnanswered(error) || attempt >= this.pool.options.max)
          throw toStoreError(error)
      }
    }
  }

  release(): void {
    if (this.client === undefined) return
    this.releasedAt.set(this.client, performance.now())
    this.client.release()
    this.client = undefined
  }

  /** The pool closes idle connections by timers, which stop while the process is suspended. */
  private async connect(): Promise<PoolClient> {
    const oldest = performance.now() - (this.pool.options.idleTimeoutMillis ?? 0) - 1_000
    for (;;) {
      const client = await this.borrow()
      if ((this.releasedAt.get(client) ?? Number.POSITIVE_INFINITY) > oldest) return client
      client.release(true)
    }
  }

  private async borrow(): Promise<PoolClient> {
    let connecting: Promise<PoolClient> | undefined
    try {
      return await this.watch.during(() => (connecting = this.pool.connect()))
    } catch (error) {
      // The connection may still be established when the server answers again.
      connecting?.then((client) => client.release(true)).catch(() => undefined)
      throw toStoreError(error)
    }
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
