import { renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pageBytes, readPageBytes } from '#server/store/engine/sqlite/connection.ts'
import { readFreeSpace } from '#server/store/engine/sqlite/free-space.ts'
import { findUnavailability } from '#server/store/errors.ts'
import { syncFile } from './database-file.ts'

/**
 * Rewrites a database without a write-ahead log with the current page size, if it has another one, as
 * databases of Culvert 0.2. Does nothing if the disk has no room for a second copy. Requires exclusive use of
 * the file.
 */
export function renewPages(path: string): void {
  const sqlite = new DatabaseSync(path)
  const renewed = `${path}-renewed`
  // Left by a restore that was killed.
  rmSync(renewed, { force: true })
  try {
    if (readPageBytes(sqlite) === pageBytes) return
    const freeBytes = readFreeSpace(dirname(path))?.freeBytes
    if (freeBytes !== undefined && freeBytes < 2 * statSync(path).size) return
    sqlite.exec(`PRAGMA page_size = ${pageBytes}`)
    // A VACUUM in place would need the room of two copies, one of them in the folder for temporary files.
    sqlite.prepare('VACUUM INTO ?').run(renewed)
    syncFile(renewed)
  } catch (error) {
    rmSync(renewed, { force: true })
    if (findUnavailability(error)?.reason === 'FULL') return
    throw error
  } finally {
    sqlite.close()
  }
  renameSync(renewed, path)
}
