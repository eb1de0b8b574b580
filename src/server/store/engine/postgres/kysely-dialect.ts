import { CompiledQuery, PostgresAdapter, PostgresIntrospector } from 'kysely'
import type { DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { limits } from '#server/limits.ts'
import type { SqlInput } from '#server/store/engine/connection.ts'
import { toSqlInput } from '#server/store/engine/sql-input.ts'
import { retryWhileBusy, within } from '#server/store/engine/sqlite/busy-wait.ts'
import type { Lock } from '#server/store/engine/sqlite/lock.ts'
import { toStoreError } from './error.ts'
import { PooledClient, type ReadClient } from './pooled-client.ts'
import { PostgresCompiler } from './statements/compiler.ts'
import { toSent } from './statements/sql-text.ts'
import type { SyncConnection } from './sync-connection.ts'

function createDialect(driver: Driver): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driver,
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresCompiler(),
  }
}

export interface WriterDialectOptions {
  /** Stays open when Kysely is destroyed: its owner closes it. */
  connection: SyncConnection
  /** Acquired for each statement, or for a whole transaction. */
  lock: Pick<Lock, 'acquire' | 'release'>
  /** Called once per statement, after it has run. */
  onDone?: (sql: string, parameters: readonly unknown[]) => void
}

/** Kysely on the connection that writes, which the transactions of ingest use too. */
export function createWriterDialect({ connection, lock, onDone }: WriterDialectOptions): Dialect {
  const execute = async <Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> => {
    const values = parameters.map(toSqlInput)
    const run = () => connection.query(sql, values)
    const { rows, rowCount } = await named(() =>
      connection.isTransaction ? run() : whileBusy(() => inTransaction(connection, run)),
    )
    onDone?.(sql, parameters)
    // Kysely's types say what the columns hold, the driver cannot know it.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return { rows: rows as Row[], numAffectedRows: BigInt(rowCount) }
  }
  const one: DatabaseConnection = { executeQuery: execute, streamQuery: neverStreams }
  return createDialect({
    init: () => Promise.resolve(),
    async acquireConnection() {
      await lock.acquire()
      return one
    },
    beginTransaction: () => named(() => whileBusy(() => connection.exec('BEGIN IMMEDIATE'))),
    commitTransaction: () => named(() => connection.exec('COMMIT')),
    async rollbackTransaction() {
      if (connection.isTransaction) connection.exec('ROLLBACK')
    },
    releaseConnection() {
      lock.release()
      return Promise.resolve()
    },
    destroy: () => Promise.resolve(),
  })
}

/** Throws a `StoreUnavailableError` where the server is to blame. */
async function named<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw toStoreError(error)
  }
}

function whileBusy<Result>(step: () => Result): Promise<Result> {
  return retryWhileBusy(step, within(limits.storeBusyMs))
}

/** A statement takes the lock of writers too, so that the caches of writers stay valid. */
function inTransaction<Result>(connection: SyncConnection, run: () => Result): Result {
  connection.exec('BEGIN IMMEDIATE')
  try {
    const result = run()
    connection.exec('COMMIT')
    return result
  } catch (error) {
    if (connection.isTransaction) connection.exec('ROLLBACK')
    throw error
  }
}

export interface ReaderDialectOptions {
  /** Closed with the dialect. */
  pool: Pool
  /** Makes a client for one reader. */
  connect: () => ReadClient
  /** Called once per statement, before it runs. */
  onStatement?: (sql: string) => void
}

/** Makes clients for the readers of a pool. */
export function createConnect(pool: Pool): () => ReadClient {
  const releasedAt = new WeakMap<PoolClient, number>()
  return () => new PooledClient(pool, releasedAt)
}

/** Kysely on the connections of a pool. */
export function createReaderDialect({ pool, connect, onStatement }: ReaderDialectOptions): Dialect {
  const clients = new WeakMap<DatabaseConnection, ReadClient>()
  return createDialect({
    init: () => Promise.resolve(),
    async acquireConnection() {
      const client = connect()
      const connection: DatabaseConnection = {
        async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
          onStatement?.(sql)
          const { rows, rowCount } = await client.query(sql, parameters.map(toParameter))
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion
          return { rows: rows as Row[], numAffectedRows: BigInt(rowCount ?? 0) }
        },
        streamQuery: neverStreams,
      }
      clients.set(connection, client)
      return connection
    },
    async beginTransaction(connection) {
      await connection.executeQuery(CompiledQuery.raw('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'))
    },
    async commitTransaction(connection) {
      await connection.executeQuery(CompiledQuery.raw('COMMIT'))
    },
    async rollbackTransaction(connection) {
      await connection.executeQuery(CompiledQuery.raw('ROLLBACK'))
    },
    releaseConnection(connection) {
      clients.get(connection)?.release()
      return Promise.resolve()
    },
    destroy: () => pool.end(),
  })
}

/** As on the connection that writes: what is searched for is what was stored. */
function toParameter(value: unknown): SqlInput {
  return toSent(toSqlInput(value))
}

function neverStreams(): never {
  throw new Error('the store reads pages, it does not stream')
}
