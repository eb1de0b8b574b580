import type { Pool, PoolClient, QueryResult } from 'pg'
import { isLost, isOutdated, type ReadClient } from '#server/store/engine/postgres/clients/pooled-client.ts'
import type { NamedReads } from '#server/store/engine/postgres/statements/named-reads.ts'

export interface ReplicaClientOptions {
  pool: Pool
  /** Of the pool. */
  reads: NamedReads
  /** True if statements may currently be sent to the replica. */
  isUsed: () => Promise<boolean>
  /** Creates a client of the primary. */
  connectPrimary: () => ReadClient
  /** Called when the statement is sent to the primary; with an error if the replica does not answer. */
  onFallback: (loss?: unknown) => void
}

/**
 * A client of a replica for the statements of one reader. From the first statement that the replica cannot
 * run, the primary runs all of them.
 */
export class ReplicaClient implements ReadClient {
  private readonly options: ReplicaClientOptions
  private client: PoolClient | undefined
  private primary: ReadClient | undefined

  constructor(options: ReplicaClientOptions) {
    this.options = options
  }

  async query(sql: string, values: unknown[]): Promise<QueryResult<Record<string, unknown>>> {
    if (this.primary === undefined && (this.client !== undefined || (await this.options.isUsed()))) {
      try {
        this.client ??= await this.options.pool.connect()
        return await this.options.reads.query(this.client, sql, values)
      } catch (error) {
        const isGone = isLost(error)
        this.drop(isGone || isOutdated(error))
        this.options.onFallback(isGone ? error : undefined)
      }
    } else this.options.onFallback()
    this.primary ??= this.options.connectPrimary()
    return this.primary.query(sql, values)
  }

  release(): void {
    this.drop(false)
    this.primary?.release()
    this.primary = undefined
  }

  private drop(isGone: boolean): void {
    this.client?.release(isGone)
    this.client = undefined
  }
}
