import type { Kysely, KyselyConfig, KyselyPlugin } from 'kysely'
import type { StoreBounds } from '#server/store/bounds.ts'
import type { StoreCondition, StoreLog } from '#server/store/condition.ts'
import type { Database } from '#server/store/schema/database.ts'
import type { Connection } from './connection.ts'
import type { StoreEngine } from './engine.ts'
import type { ReadReplica } from './read-replica.ts'
import type { Lock } from './sqlite/lock.ts'
import type { WriteGate } from './write-gate.ts'

/** The parts that an engine opens. */
export interface StoreParts {
  /**
   * For every read. Its connection is read-only and sees each commit as soon as it returned. Statements take
   * turns, so that they do not hold the event loop together: `paced-lock.ts`.
   */
  readonly db: Kysely<Database>
  /** Of PostgreSQL, where one is set. */
  readonly replica?: ReadReplica | undefined
  /**
   * For every write except ingest: settings, projects, changes in the console. Each statement, or whole
   * transaction, holds `writeLock`; on PostgreSQL a `SELECT` outside of a transaction does not. Never read
   * for a screen through it.
   */
  readonly writer: Kysely<Database>
  /**
   * The connection under `writer`, of either engine, for the prepared statements of ingest. Hold `writeLock`
   * while using it.
   */
  readonly connection: Connection
  readonly engine: StoreEngine
  /** Unix milliseconds. On PostgreSQL all processes have the same time, whatever their machines show. */
  readonly clock: () => number
  readonly writeLock: Lock
  /** Begins the transactions of ingest. */
  readonly writeGate: WriteGate
  /** True if the file can be written at the moment. */
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
  /** URL of a replica of the PostgreSQL database, for reads that may be a moment old. */
  readUrl?: string
  /** Unix milliseconds. Left out: the clock of the PostgreSQL server, or of this machine for SQLite. */
  clock?: () => number
  /**
   * True: the host suspends this process between requests and starts many of them. They open few connections
   * to PostgreSQL and close them soon, and throw a `SchemaMismatchError` instead of changing the schema.
   */
  isServerless?: boolean
  /** Left out: those of a database of the usual size. */
  bounds?: StoreBounds
  /** Called once per SQL statement run through `Store.db`. */
  onStatement?: (sql: string) => void
  /** Called after each statement of a screen's reads, with its duration, in the context that waits for it. */
  onRead?: ((sql: string, durationMs: number) => void) | undefined
  /** See every query of `Store.db` and its result. */
  readPlugins?: KyselyPlugin[]
  /** Called once per SQL statement run through `Store.writer`, after it has run. */
  onWrite?: (sql: string, parameters: readonly unknown[]) => void
  /** Called when the file cannot be written any more, and when it can be again. */
  log?: StoreLog
}

/** The option of Kysely by which it calls `onRead`; nothing without it: then Kysely measures nothing. */
export function toReadLog(onRead: OpenStoreOptions['onRead']): Pick<KyselyConfig, 'log'> {
  if (onRead === undefined) return {}
  return { log: ({ query, queryDurationMillis }) => onRead(query.sql, queryDurationMillis) }
}
