import { Pool, types } from 'pg'
import type { PoolConfig } from 'pg'

export interface PoolOptions {
  /** `postgres://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=…` */
  url: string
  /** Connections at most. */
  size: number
  /** Milliseconds after which an unused connection is closed. */
  idleMs: number
  /** Milliseconds that opening a connection may take. */
  connectMs: number
}

/** Object ids of types (pg_type.dat) whose values JavaScript holds otherwise than as text. */
const [int8, numeric] = [20, 1700]

/**
 * Connections to a PostgreSQL database, opened when they are needed.
 *
 * A `bigint` arrives as a number: every one in the store is a safe integer. U+0000, which PostgreSQL cannot
 * store in a text, becomes U+FFFD: see `withoutNul`.
 */
export function createPool({ url, size, idleMs, connectMs }: PoolOptions): Pool {
  const config: PoolConfig = {
    connectionString: url,
    max: size,
    idleTimeoutMillis: idleMs,
    connectionTimeoutMillis: connectMs,
    application_name: 'culvert',
    keepAlive: true,
    types: {
      getTypeParser: (oid, format) =>
        oid === int8 || oid === numeric ? Number : types.getTypeParser(oid, format),
    },
  }
  return new Pool(config)
}
