import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { Kysely, type KyselyPlugin } from 'kysely'
import { limits } from '#server/limits.ts'
import { toStoreBounds, type StoreBounds } from './bounds.ts'
import { createStoreCondition } from './condition.ts'
import type { StoreCondition, StoreLog } from './condition.ts'
import { readOwnMigrations } from './engine/migrations.ts'
import { applyMigrations } from './engine/sqlite/apply-migrations.ts'
import { openReader, openWriter } from './engine/sqlite/connection.ts'
import { createNodeSqliteDialect } from './engine/sqlite/kysely-dialect.ts'
import { createLock } from './engine/sqlite/lock.ts'
import type { Lock } from './engine/sqlite/lock.ts'
import { createPacedLock } from './engine/sqlite/paced-lock.ts'
import { createWriteGate, rewriteLog } from './engine/sqlite/write-gate.ts'
import type { WriteGate } from './engine/sqlite/write-gate.ts'
import { makeFolder } from './installation/make-folder.ts'
import type { Database } from './schema/database.ts'

/** One database file, open: a connection that writes and one that only reads. */
export interface Store {
  readonly path: string
  /** What one project may store of what strangers can send in any amount. */
  readonly bounds: StoreBounds
  /** Unix milliseconds. */
  readonly clock: () => number
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
  readonly sqlite: DatabaseSync
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
 * Opens the database file, makes it when it is not there, and brings its schema up to date.
 *
 * Several processes may have the same file open. Throws when the file cannot be opened or is newer than this
 * code.
 */
export async function openStore(options: OpenStoreOptions): Promise<Store> {
  const { path, clock, bounds = toStoreBounds(limits.retentionBytes), onWrite, log } = options
  const migrations = (await readOwnMigrations()).sqlite
  makeFolder(dirname(path))
  const sqlite = await openWriter(path)
  try {
    applyMigrations(sqlite, migrations, clock)
    // From here on no wait for another process blocks the event loop: see `retryWhileBusy`.
    sqlite.exec('PRAGMA busy_timeout = 0')
    const condition = createStoreCondition(path, log)
    // The log that a crash left is rewritten with an fsync before anything builds upon it. Another process
    // that has the file open keeps its own log.
    const obstacle = rewriteLog(sqlite)
    if (obstacle && obstacle.reason !== 'BUSY') condition.noteFailure(obstacle)
    const reader = openReader(path)
    const writeGate = createWriteGate(sqlite, condition)
    const writeLock = createLock()
    const db = new Kysely<Database>({
      dialect: createNodeSqliteDialect({
        sqlite: reader,
        lock: createPacedLock(),
        ...(options.onStatement && { onStatement: options.onStatement }),
      }),
      plugins: options.readPlugins ?? [],
    })
    const writer = new Kysely<Database>({
      dialect: createNodeSqliteDialect({ sqlite, lock: writeLock, ...(onWrite && { onDone: onWrite }) }),
    })
    const close = async () => {
      await Promise.all([db.destroy(), writer.destroy()])
      await writeLock.acquire()
      // The writer is closed last: the last connection to close checkpoints the write-ahead log, and a reader
      // cannot.
      if (reader.isOpen) reader.close()
      if (sqlite.isOpen) sqlite.close()
      writeLock.release()
    }
    return { path, bounds, clock, db, writer, sqlite, writeLock, writeGate, condition, close }
  } catch (error) {
    sqlite.close()
    throw error
  }
}

/**
 * A number that changes when another connection, of this process or another one, has committed to the file.
 *
 * Commits of this store leave it alone. Costs about 2 µs: compare it to know when a cache has gone stale.
 */
export function dataVersion(store: Store): number {
  return Number(store.sqlite.prepare('PRAGMA data_version').get()?.['data_version'])
}
