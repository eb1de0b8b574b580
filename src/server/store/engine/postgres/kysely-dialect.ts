import { CompiledQuery, PostgresAdapter, PostgresIntrospector, SelectQueryNode } from 'kysely'
import type { DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely'
import type { Pool } from 'pg'
import { limits } from '#server/limits.ts'
import type { SqlInput } from '#server/store/engine/connection.ts'
import { toSqlInput } from '#server/store/engine/sql-input.ts'
import { retryWhileBusy, within } from '#server/store/engine/sqlite/busy-wait.ts'
import type { Lock } from '#server/store/engine/sqlite/lock.ts'
import { PooledClient, type ReadClient } from './clients/pooled-client.ts'
import { SharedClients } from './clients/shared-clients.ts'
import { toStoreError } from './error.ts'
import type { ServerWatch } from './liveness/server-watch.ts'
import type { QueriedServer } from './pool.ts'
import { PostgresCompiler } from './statements/compiler.ts'
import type { NamedReads } from './statements/named-reads.ts'
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
  /** Acquired for each statement that may write, or for a whole transaction. */
  lock: Pick<Lock, 'acquire' | 'release'>
  /** Creates a client of the same server for a read outside of a transaction. */
  connect: () => ReadClient
  /** Called once per statement, after it has run. */
  onDone?: (sql: string, parameters: readonly unknown[]) => void
}

/**
 * Kysely on the connection that writes, which ingest uses, too. A read outside of a transaction runs on a
 * separate connection: it sees all committed data and waits for no writer.
 */
export function createWriterDialect({ connection, lock, connect, onDone }: WriterDialectOptions): Dialect {
  /** Connections whose transaction holds the lock. */
  const holders = new WeakSet<DatabaseConnection>()
  const write = async <Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> => {
    const values = parameters.map(toSqlInput)
    const run = () => connection.query(sql, values)
    const result = await named(() =>
      connection.isTransaction ? run() : whileBusy(() => inTransaction(connection, run)),
    )
    return toResult(result)
  }
  const execute = async <Row>(one: DatabaseConnection, query: CompiledQuery): Promise<QueryResult<Row>> => {
    if (holders.has(one)) return write(query)
    if (isRead(query)) return readOnce(connect(), query)
    await lock.acquire()
    return write<Row>(query).finally(() => lock.release())
  }
  return createDialect({
    init: () => Promise.resolve(),
    async acquireConnection() {
      const one: DatabaseConnection = {
        async executeQuery<Row>(query: CompiledQuery) {
          const result = await execute<Row>(one, query)
          onDone?.(query.sql, query.parameters)
          return result
        },
        streamQuery: neverStreams,
      }
      return one
    },
    async beginTransaction(one) {
      await lock.acquire()
      holders.add(one)
      await named(() => whileBusy(() => connection.beginExclusive()))
    },
    commitTransaction: () => named(() => connection.exec('COMMIT')),
    async rollbackTransaction() {
      if (connection.isTransaction) connection.exec('ROLLBACK')
    },
    async releaseConnection(one) {
      if (holders.delete(one)) lock.release()
    },
    destroy: () => Promise.resolve(),
  })
}

/** True for a `SELECT`, including one that locks rows; false for one with `WITH`, which could write. */
function isRead({ query }: CompiledQuery): boolean {
  return SelectQueryNode.is(query) && query.with === undefined
}

async function readOnce<Row>(client: ReadClient, query: CompiledQuery): Promise<QueryResult<Row>> {
  try {
    return await readOn(client, query)
  } finally {
    client.release()
  }
}

async function readOn<Row>(
  client: ReadClient,
  { sql, parameters }: CompiledQuery,
): Promise<QueryResult<Row>> {
  return toResult(await client.query(sql, parameters.map(toParameter)))
}

function toResult<Row>({ rows, rowCount }: { rows: unknown[]; rowCount: number | null }): QueryResult<Row> {
  // Kysely's types describe the columns; the driver does not know them.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { rows: rows as Row[], numAffectedRows: BigInt(rowCount ?? 0) }
}

/** Throws a `StoreUnavailableError` for failures of the server. */
async function named<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw toStoreError(error)
  }
}

function whileBusy<Result>(step: () => Promise<Result>): Promise<Result> {
  return retryWhileBusy(step, within(limits.storeBusyMs))
}

/** A single statement takes the lock of writers, too, so that the caches of writers stay valid. */
async function inTransaction<Result>(connection: SyncConnection, run: () => Result): Promise<Result> {
  await connection.beginExclusive()
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
  /** Creates a client for one reader. */
  connect: () => ReadClient
  /** Called once per statement, before it runs. */
  onStatement?: (sql: string) => void
}

/** What the clients of a pool share. */
export interface ConnectOptions {
  watch: ServerWatch
  reads: NamedReads
  /** Called with each failure to open a connection. */
  onFailure?: ((error: unknown) => void) | undefined
}

/** Creates clients for the readers of a pool. */
export function createConnect(pool: Pool, { watch, reads, onFailure }: ConnectOptions): () => ReadClient {
  const clients = new SharedClients(pool, watch, onFailure)
  return () => new PooledClient({ clients, watch, reads })
}

/** Runs each statement on a separate client. */
export function createQueriedServer(connect: () => ReadClient): QueriedServer {
  return {
    query: (sql) => readOnce<Record<string, unknown>>(connect(), CompiledQuery.raw(sql)),
  }
}

/** Kysely on the connections of a pool. */
export function createReaderDialect({ pool, connect, onStatement }: ReaderDialectOptions): Dialect {
  const clients = new WeakMap<DatabaseConnection, ReadClient>()
  return createDialect({
    init: () => Promise.resolve(),
    async acquireConnection() {
      const client = connect()
      const connection: DatabaseConnection = {
        async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
          onStatement?.(query.sql)
          return readOn(client, query)
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

/** Same conversion as on the connection that writes, so that a search finds the stored text. */
function toParameter(value: unknown): SqlInput {
  return toSent(toSqlInput(value))
}

function neverStreams(): never {
  throw new Error('the store reads pages, it does not stream')
}
