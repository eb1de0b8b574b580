import { Connection, Pool, types } from 'pg'
import type { ClientBase, ClientConfig } from 'pg'

export interface PoolOptions {
  /** `postgres://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=…` */
  url: string
  /** Connections at most. */
  size: number
  /** Milliseconds after which an unused connection is closed. */
  idleMs: number
  /** Milliseconds after which a statement fails that has not been answered. */
  answerMs: number
}

/** Runs single statements: a pool, or a client. */
export interface QueriedServer {
  query(sql: string): Promise<{ rows: Record<string, unknown>[] }>
}

/** Milliseconds that opening a connection may take. */
const connectMs = 5_000

/**
 * Milliseconds without a word after which the system asks whether the other side is still there. Its own
 * default is two hours. Node then asks every second, ten times.
 */
const keepAliveMs = 10_000

/** By the object ids of types (pg_type.dat) whose values the store holds otherwise than the driver. */
const parsers: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [types.builtins.BOOL, (text: string) => (text === 't' ? 1 : 0)],
  [types.builtins.INT8, Number],
  [types.builtins.NUMERIC, Number],
])

/** Connections to a PostgreSQL database, opened when they are needed. */
export function createPool({ url, size, idleMs, answerMs }: PoolOptions): Pool {
  const pool = new Pool({
    ...clientConfig(url),
    max: size,
    idleTimeoutMillis: idleMs,
    query_timeout: answerMs,
    // The end of an unused connection waits for the server, which may not answer.
    allowExitOnIdle: true,
    connectionTimeoutMillis: Math.min(answerMs, connectMs),
  })
  pool.on('connect', (client) => outliveLoss(client))
  return pool
}

/**
 * Keeps the process running when a connection is lost while no statement runs on it: the next statement
 * fails. From the first moment, because the message that opens a connection and the one that ends it can
 * arrive together.
 */
export function outliveLoss<Connection extends ClientBase>(client: Connection): Connection {
  return client.on('error', () => undefined)
}

/** Ends a connection at once, without a message that the server would not read. */
export function cutOff(client: ClientBase): void {
  // The driver's own way waits for the server. Its types do not have the property.
  if ('connection' in client && client.connection instanceof Connection) client.connection.stream.destroy()
}

/**
 * True if statements may be prepared under names. A pooler may run each transaction in another session, which
 * does not know the names; `?pgbouncer=true` in the URL says so, as several clients of PostgreSQL read it.
 */
export function hasPreparedNames(url: string): boolean {
  return new URL(url).searchParams.get('pgbouncer') !== 'true'
}

/**
 * Settings of a connection. A `bigint` arrives as a number, because every one in the store is a safe integer,
 * and a truth value as 0 or 1, as in SQLite.
 */
export function clientConfig(url: string): ClientConfig {
  return {
    connectionString: url,
    connectionTimeoutMillis: connectMs,
    application_name: 'culvert',
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    types: {
      // oxlint-disable-next-line typescript/no-unsafe-return -- the driver's parsers return anything
      getTypeParser: (oid, format) => parsers.get(oid) ?? types.getTypeParser(oid, format),
    },
  }
}
