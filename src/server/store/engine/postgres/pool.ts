import { Connection, Pool, types, type ClientBase, type ClientConfig } from 'pg'
import { limits } from '#server/limits.ts'

export interface PoolOptions {
  /** `postgres://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=…` */
  url: string
  /** Maximum number of connections. */
  size: number
  /** Milliseconds after which an unused connection is closed. */
  idleMs: number
  /** Milliseconds without an answer after which a statement fails. */
  answerMs: number
}

/** Runs single statements: a pool, or a client. */
export interface QueriedServer {
  query(sql: string): Promise<{ rows: Record<string, unknown>[] }>
}

/** Maximum milliseconds for opening a connection. */
const connectMs = 5_000

/**
 * Milliseconds of silence after which the system sends TCP keepalive probes. Its own default is two hours.
 * Node then sends one per second, ten times.
 */
const keepAliveMs = 10_000

/** By the object ids of types (pg_type.dat) that the store represents differently than the driver. */
const parsers: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [types.builtins.BOOL, (text: string) => (text === 't' ? 1 : 0)],
  [types.builtins.INT8, Number],
  [types.builtins.NUMERIC, Number],
])

/** Connections to a PostgreSQL database, opened on demand. */
export function createPool({ url, size, idleMs, answerMs }: PoolOptions): Pool {
  const pool = new Pool({
    ...clientConfig(url),
    // Several reads may share a connection.
    pipeline: true,
    max: size,
    idleTimeoutMillis: idleMs,
    query_timeout: answerMs,
    maxLifetimeSeconds: limits.namedReadsMs / 1000,
    // The end of an unused connection waits for the server, which may not answer.
    allowExitOnIdle: true,
    connectionTimeoutMillis: Math.min(answerMs, connectMs),
  })
  pool.on('connect', (client) => outliveLoss(client))
  return pool
}

/**
 * Keeps the process running when an idle connection is lost: the next statement fails instead. Attach it from
 * the first moment, because the message that opens a connection and the one that ends it can arrive together.
 */
export function outliveLoss<Connection extends ClientBase>(client: Connection): Connection {
  return client.on('error', () => undefined)
}

/** Closes a connection immediately, without a message that the server would not read. */
export function cutOff(client: ClientBase): void {
  // The driver's own method waits for the server. Its types lack the property.
  if ('connection' in client && client.connection instanceof Connection) client.connection.stream.destroy()
}

/**
 * True if statements may be prepared under names. A pooler may run each transaction in another session, which
 * does not know the names; `?pgbouncer=true` in the URL disables them, as in several other clients of
 * PostgreSQL.
 */
export function hasPreparedNames(url: string): boolean {
  return new URL(url).searchParams.get('pgbouncer') !== 'true'
}

/**
 * The driver verifies the server also with these modes, and prints a warning of several lines that its next
 * version will not. Culvert's documentation promises it.
 */
const looseTlsModes = new Set(['prefer', 'require', 'verify-ca'])

function withStrictTls(url: string): string {
  const parsed = new URL(url)
  const { searchParams } = parsed
  if (!looseTlsModes.has(searchParams.get('sslmode') ?? '') || searchParams.has('uselibpqcompat')) return url
  searchParams.set('sslmode', 'verify-full')
  return parsed.href
}

/**
 * Settings of a connection. A `bigint` is returned as a number, because all of the store's are safe integers,
 * and a boolean as 0 or 1, as in SQLite.
 */
export function clientConfig(url: string): ClientConfig {
  return {
    connectionString: withStrictTls(url),
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
