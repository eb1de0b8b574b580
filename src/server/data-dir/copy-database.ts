import { rmSync } from 'node:fs'
import { DatabaseSync, backup } from 'node:sqlite'
import { OperatorError } from '#server/errors.ts'
import { checkDatabase, syncFile, type FileCheck } from './database-file.ts'

/** Pages per step: 8 MiB, between which other work of the process gets its turn. */
const pagesPerStep = 2_000

/** What is to be copied is no sound database. */
export class DamagedFileError extends OperatorError {}

export interface CopyOptions {
  from: DatabaseSync
  /** A path where nothing is. What is left of a copy that failed is removed. */
  to: string
  /** Called with the share that is done, from 0 to 1. */
  onProgress?: (share: number) => void
}

/**
 * Copies a database that others may be writing to, as it is at this moment, into one file without a
 * write-ahead log, and looks through every page of the copy. Raises a `DamagedFileError` when the copy is
 * damaged, which means that the original is.
 */
export async function copyDatabase({ from, to, onProgress }: CopyOptions): Promise<FileCheck> {
  try {
    await copyPages(from, to, onProgress)
    const copy = new DatabaseSync(to)
    copy.exec('PRAGMA journal_mode = DELETE')
    const check = checkDatabase(copy)
    copy.close()
    if (check.problems.length > 0)
      throw new DamagedFileError(`The file is damaged: ${check.problems.join('; ')}`)
    syncFile(to)
    return check
  } catch (error) {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${to}${suffix}`, { force: true })
    throw error
  }
}

async function copyPages(
  from: DatabaseSync,
  to: string,
  onProgress: CopyOptions['onProgress'],
): Promise<void> {
  // An open transaction of this connection holds its view: without it, every commit of another process would
  // have the copy begin anew.
  from.exec('BEGIN')
  from.prepare('SELECT count(*) FROM sqlite_schema').get()
  try {
    await backup(from, to, {
      rate: pagesPerStep,
      progress: ({ remainingPages, totalPages }) =>
        onProgress?.(1 - remainingPages / Math.max(1, totalPages)),
    })
  } finally {
    from.exec('ROLLBACK')
  }
}
