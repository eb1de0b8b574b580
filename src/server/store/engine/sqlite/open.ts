import { dirname } from 'node:path'
import { Kysely } from 'kysely'
import { createStoreCondition } from '#server/store/condition.ts'
import { readOwnMigrations } from '#server/store/engine/migrations.ts'
import { toReadLog, type OpenStoreOptions, type StoreParts } from '#server/store/engine/store-parts.ts'
import { makeFolder } from '#server/store/installation/make-folder.ts'
import type { Database } from '#server/store/schema/database.ts'
import { applySqliteMigrations, rejectOldSchema } from './apply-migrations.ts'
import { createCheckpoints } from './checkpoints.ts'
import { openReader, openWriter } from './connection.ts'
import { createSqliteEngine } from './engine.ts'
import { createNodeSqliteDialect } from './kysely-dialect.ts'
import { createLock } from './lock.ts'
import { createPacedLock } from './paced-lock.ts'
import { createWriteGate, rewriteLog } from './write-gate.ts'

/**
 * Opens a database file with two connections, one of which only reads, and migrates its schema. Several
 * processes may open the same file. Throws if the file cannot be opened or is newer than this version.
 */
export async function openSqliteStore(options: OpenStoreOptions): Promise<StoreParts> {
  const { path, clock = Date.now, schemaChanges = 'all', onWrite, log } = options
  const migrations = await readOwnMigrations()
  makeFolder(dirname(path))
  const sqlite = await openWriter(path)
  try {
    if (schemaChanges !== 'all') rejectOldSchema(sqlite, migrations.sqlite)
    applySqliteMigrations(sqlite, migrations.sqlite, clock)
    // From now on no wait for another process blocks the event loop: see `retryWhileBusy`.
    sqlite.exec('PRAGMA busy_timeout = 0')
    const condition = createStoreCondition({ path, log })
    // The log that a crash left is rewritten with an fsync before further commits build on it. Another
    // process that has the file open maintains its own log.
    const obstacle = rewriteLog(sqlite)
    if (obstacle && obstacle.reason !== 'BUSY') condition.noteFailure(obstacle)
    const reader = openReader(path)
    const checkpoints = createCheckpoints(sqlite, { path, condition })
    const engine = createSqliteEngine(sqlite, checkpoints)
    const writeGate = createWriteGate(sqlite, { condition, checkpoints })
    const writeLock = createLock()
    const db = new Kysely<Database>({
      dialect: createNodeSqliteDialect({
        sqlite: reader,
        lock: createPacedLock(),
        ...(options.onStatement && { onStatement: options.onStatement }),
      }),
      plugins: options.readPlugins ?? [],
      ...toReadLog(options.onRead),
    })
    const writer = new Kysely<Database>({
      dialect: createNodeSqliteDialect({ sqlite, lock: writeLock, ...(onWrite && { onDone: onWrite }) }),
    })
    const close = async () => {
      await Promise.all([db.destroy(), writer.destroy(), checkpoints.close()])
      await writeLock.acquire()
      // The writer is closed last: the last connection to close checkpoints the write-ahead log, which a
      // reader cannot.
      if (reader.isOpen) reader.close()
      if (sqlite.isOpen) sqlite.close()
      writeLock.release()
    }
    return { db, writer, connection: sqlite, engine, clock, writeLock, writeGate, condition, close }
  } catch (error) {
    sqlite.close()
    throw error
  }
}
