import type { KyselyConfig, KyselyPlugin } from 'kysely'
import type { StoreBounds } from '#server/store/bounds.ts'
import type { StoreCondition, StoreLog } from '#server/store/condition.ts'
import type { Db } from '#server/store/schema/database.ts'
import type { Connection } from './connection.ts'
import type { StoreEngine } from './engine.ts'
import type { ReadReplica } from './read-replica.ts'
import type { Lock } from './sqlite/lock.ts'
import type { WriteGate } from './write-gate.ts'

/** The parts of a store that an engine opens. */
export interface StoreParts {
  /**
   * For every read. Its connection is read-only and sees each commit as soon as it has returned. Statements
   * take turns, so that together they do not block the event loop: `paced-lock.ts`.
   */
  readonly db: Db
  /** The read replica of PostgreSQL, if one is configured. */
  readonly replica?: ReadReplica | undefined
  /**
   * For every write except ingest: settings, projects, changes in the console. Each statement, or whole
   * transaction, holds `writeLock`; on PostgreSQL a `SELECT` outside of a transaction does not. Do not use it
   * for the reads of a screen.
   */
  readonly writer: Db
  /**
   * The connection under `writer`, of either engine, for the prepared statements of ingest. Hold `writeLock`
   * while using it.
   */
  readonly connection: Connection
  readonly engine: StoreEngine
  /** Unix milliseconds. On PostgreSQL all processes have the same time, regardless of their clocks. */
  readonly clock: () => number
  readonly writeLock: Lock
  /** Begins the transactions of ingest. */
  readonly writeGate: WriteGate
  /** True if the database can currently be written. */
  readonly condition: StoreCondition
  /** Closes both connections. Drain the committer first; later commits fail with `StoreUnavailableError`. */
  close(): Promise<void>
}

export interface OpenStoreOptions {
  /** The path of the database file, whose folder is created if it is missing. */
  path: string
  /** URL of a replica of the PostgreSQL database, for reads that tolerate a short lag. */
  readUrl?: string
  /** Unix milliseconds. By default the clock of the PostgreSQL server, or for SQLite of this machine. */
  clock?: () => number
  /**
   * True if the host suspends this process between requests and starts many such processes. They open few
   * connections to PostgreSQL and close them soon, and throw a `SchemaMismatchError` instead of changing the
   * schema.
   */
  isServerless?: boolean
  /**
   * The changes that opening may make to the schema: all, by default, or only its creation, which `none` also
   * allows for a file. Throws a `SchemaMismatchError` instead of others, because an upgrade breaks servers of
   * an earlier version that still run.
   */
  schemaChanges?: 'all' | 'creation' | 'none'
  /** By default the bounds of a database of typical size. */
  bounds?: StoreBounds
  /** Called once per SQL statement run through `Store.db`. */
  onStatement?: (sql: string) => void
  /** Called after each read of a screen, with its duration, in the async context of its caller. */
  onRead?: ((sql: string, durationMs: number) => void) | undefined
  /** Process every query of `Store.db` and its result. */
  readPlugins?: KyselyPlugin[]
  /** Called once per SQL statement run through `Store.writer`, after it has run. */
  onWrite?: (sql: string, parameters: readonly unknown[]) => void
  /** Called with each failure to open a connection to PostgreSQL for reads. */
  onConnectFailure?: (error: unknown) => void
  /** Logs when the database cannot be written any more, and when it can be written again. */
  log?: StoreLog
}

/** The Kysely option that calls `onRead`; empty without it, so that Kysely measures nothing. */
export function toReadLog(onRead: OpenStoreOptions['onRead']): Pick<KyselyConfig, 'log'> {
  if (onRead === undefined) return {}
  return { log: ({ query, queryDurationMillis }) => onRead(query.sql, queryDurationMillis) }
}
