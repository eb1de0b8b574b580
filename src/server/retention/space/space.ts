import { statfsSync } from 'node:fs'
import { limits } from '#server/limits.ts'
import type { ExpiryRun } from '#server/retention/expiry/run.ts'
import { findDatabaseFolder } from '#server/store/engine/database-folder.ts'
import { readFreeSpace } from '#server/store/engine/sqlite/free-space.ts'
import type { Store } from '#server/store/store.ts'

/** Free pages to return before checking the time. */
const pagesPerStep = 20

/** The disk of the database. */
export interface Disk {
  totalBytes: number
  /** Bytes to delete until retention is no longer urgent. */
  missingBytes: number
}

/** Reads the state of the disk. Undefined if it is not reported, or the database is on another server. */
export function readDisk({ path }: Pick<Store, 'path'>): Disk | undefined {
  const folder = findDatabaseFolder(path)
  const space = folder === undefined ? undefined : readFreeSpace(folder)
  if (folder === undefined || space === undefined) return undefined
  const { blocks, bsize } = statfsSync(folder)
  // Twice the floor at which ingest stops, so that retention starts before that.
  const missingBytes = Math.max(0, 2 * space.floorBytes - space.freeBytes)
  return { totalBytes: blocks * bsize, missingBytes }
}

/** The inputs of the maximum database size. */
export interface SpaceFacts {
  /** The operator's limit. */
  maxBytes: number
  /** Bytes of the database including free pages. */
  fileBytes: number
  disk: Disk | undefined
}

/**
 * The maximum bytes of the database: the operator's limit, or `limits.retentionDiskShare` of the disk if that
 * is less. On a nearly full disk it is the current size of the file minus the missing bytes, but at least
 * `limits.retentionFloorBytes`: a small database has not filled the disk.
 */
export function findByteLimit({ maxBytes, fileBytes, disk }: SpaceFacts): number {
  if (disk === undefined) return maxBytes
  const limit = Math.min(maxBytes, Math.floor(disk.totalBytes * limits.retentionDiskShare))
  if (disk.missingBytes === 0) return limit
  return Math.min(limit, Math.max(fileBytes - disk.missingBytes, limits.retentionFloorBytes))
}

/**
 * Returns free pages to the file system, except a share of the file that ingest fills again. Pages from the
 * end of the file are moved into free ones, a few at a time. Stops when that frees nothing: an operator may
 * have disabled `auto_vacuum`.
 */
export async function returnFreePages({ store, pacer }: ExpiryRun, reservedShare: number): Promise<void> {
  const surplus = () => {
    const { freePages, pageCount } = store.engine.readSize()
    return freePages - Math.floor(pageCount * reservedShare)
  }
  if (surplus() <= 0) return
  for (let before = Infinity; surplus() > 0 && surplus() < before;) {
    before = surplus()
    await pacer.slice((hasTime) => {
      for (let left = surplus(); left > 0 && hasTime(); left -= pagesPerStep)
        store.engine.shrink(Math.min(left, pagesPerStep))
    })
  }
  // The file itself is truncated when the log has been copied into it.
  await pacer.checkpoint()
}
