import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { isBusyError } from '#server/store/errors.ts'

/**
 * Milliseconds that opening waits for a lock, and a read in the rare cases where it has to. This blocks the
 * event loop.
 */
const busyTimeoutMs = 5_000

/**
 * Page size of new and restored databases. An event changes a handful of index pages at random positions, and
 * each is written to the log as a whole: decision 104 has the bytes and the CPU time of other sizes.
 */
export const pageBytes = 2_048

/**
 * Size of the log at which a commit checkpoints it: larger than those at which ingest does. See
 * `checkpoints.ts`. The file of the log keeps this size.
 */
const autoCheckpointBytes = 160 * 1024 * 1024

/**
 * The cache is small: whenever SQLite has sorted split pages under the number of the page at 1 GiB, the next
 * commit of a smaller file scans the whole cache for pages past its end. With 32 MiB that took a tenth of the
 * commit.
 */
const writerPragmas = [
  'PRAGMA synchronous = FULL',
  `PRAGMA journal_size_limit = ${autoCheckpointBytes}`,
  'PRAGMA cache_size = -8192',
  'PRAGMA temp_store = MEMORY',
]

const readerPragmas = ['PRAGMA cache_size = -32768', 'PRAGMA temp_store = MEMORY', 'PRAGMA query_only = ON']

/**
 * Opens the connection that writes, and creates the file if it does not exist. Every commit is on disk when
 * it returns.
 */
export async function openWriter(path: string): Promise<DatabaseSync> {
  const sqlite = new DatabaseSync(path, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true })
  try {
    sqlite.exec(`PRAGMA page_size = ${pageBytes}`)
    // Set before the first write: afterwards only a VACUUM changes it.
    sqlite.exec('PRAGMA auto_vacuum = INCREMENTAL')
    await enterWal(sqlite)
    for (const pragma of writerPragmas) sqlite.exec(pragma)
    sqlite.exec(`PRAGMA wal_autocheckpoint = ${Math.floor(autoCheckpointBytes / readPageBytes(sqlite))}`)
  } catch (error) {
    sqlite.close()
    throw error
  }
  return sqlite
}

/** The page size of a database: `pageBytes`, or 4,096 if Culvert 0.2 created it. */
export function readPageBytes(sqlite: DatabaseSync): number {
  return Number(sqlite.prepare('PRAGMA page_size').get()?.['page_size'])
}

/** Opens a read-only connection. It sees every commit immediately and never waits for the writer (WAL). */
export function openReader(path: string): DatabaseSync {
  const sqlite = new DatabaseSync(path, { timeout: busyTimeoutMs, readOnly: true })
  for (const pragma of readerPragmas) sqlite.exec(pragma)
  return sqlite
}

/** SQLite does not wait for others to change the journal mode, so first openings retry. */
async function enterWal(sqlite: DatabaseSync): Promise<void> {
  const attempts = 100
  for (let attempt = 1; ; attempt += 1) {
    try {
      sqlite.exec('PRAGMA journal_mode = WAL')
      return
    } catch (error) {
      if (!isBusyError(error) || attempt === attempts) throw error
      await sleep(busyTimeoutMs / attempts)
    }
  }
}
