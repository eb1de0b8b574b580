import type { Kysely, KyselyPlugin } from 'kysely'
import { limits } from '#server/limits.ts'
import { toStoreBounds, type StoreBounds } from './bounds.ts'
import type { StoreCondition, StoreLog } from './condition.ts'
import type { Connection } from './engine/connection.ts'
import type { StoreEngine } from './engine/engine.ts'
import { isPostgresUrl, openPostgresStore } from './engine/postgres/open.ts'
import type { Lock } from './engine/sqlite/lock.ts'
import { openSqliteStore } from './engine/sqlite/open.ts'
import type { WriteGate } from './engine/sqlite/write-gate.ts'
import type { Database } from './schema/database.ts'

/** An open database: a connection that writes, and others that only read. */
export interface Store extends StoreParts {
  /** Of the file, or the URL of the PostgreSQL database. The URL contains a password. */
  readonly path: string
  /** What one project may store of what strangers can send in any amount. */
  readonly bounds: StoreBounds
  /** Unix milliseconds. */
  readonly clock: () => number
}

/** What an engine opens. */
export interface StoreParts {
  /**
   * For every read. Its connection is read-only and sees each commit as soon as it returned. Statements take
   * turns, so that they do not hold the event loop together: `paced-lock.ts`.
   */
  readonly db: Kysely<Database>
  /**
   * For every write that is not ingest: settings, projects, what people do in the console. Each statement, or
   * whole transaction, holds `writeLock`. Never read for a screen through it.
   */
  readonly writer: Kysely<Database>
  /**
   * The connection under `writer`, for the prepared statements of ingest. Hold `writeLock` while using it.
   */
  readonly sqlite: Connection
  readonly engine: StoreEngine
  readonly writeLock: Lock
  /** Begins the transactions of ingest. */
  readonly writeGate: WriteGate
  /** Whether the file can be written at the moment. */
  readonly condition: StoreCondition
  /**
   * Closes both connections. Drain the committer first; what is committed later fails with
   * `StoreUnavailableError`.
   */
  close(): Promise<void>
}

export interface OpenStoreOptions {
  /** Of the database file; its folder is made when missing. */
  path: string
  /** Unix milliseconds. */
  clock: () => number
  /** Left out: those of a database of the usual size. */
  bounds?: StoreBounds
  /** Called once per SQL statement run through `Store.db`. */
  onStatement?: (sql: string) => void
  /** See every query of `Store.db` and its result. */
  readPlugins?: KyselyPlugin[]
  /** Called once per SQL statement run through `Store.writer`, after it has run. */
  onWrite?: (sql: string, parameters: readonly unknown[]) => void
  /** Hears when the file cannot be written any more, and when it can be again. */
  log?: StoreLog
}

/**
 * Opens the database, which is created if it is missing, and brings its schema up to date. `path` selects the
 * engine.
 *
 * Several processes may have it open. Throws when it cannot be opened or is newer than this code.
 */
export async function openStore(options: OpenStoreOptions): Promise<Store> {
  const { path, clock, bounds = toStoreBounds(limits.retentionBytes) } = options
  const parts = await (isPostgresUrl(path) ? openPostgresStore(options) : openSqliteStore(options))
  return { path, bounds, clock, ...parts }
}
