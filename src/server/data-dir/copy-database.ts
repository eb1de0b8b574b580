import { rmSync } from 'node:fs'
import { DatabaseSync, backup } from 'node:sqlite'
import { OperatorError } from '#server/errors.ts'
import { checkDatabase, syncFile, type FileCheck } from './database-file.ts'

/** Pages per step: 8 MiB of today's pages. Other work of the process runs between steps. */
const pagesPerStep = 4_000

/** The source of the copy is not an intact database. */
export class DamagedFileError extends OperatorError {}

export interface CopyOptions {
  from: DatabaseSync
  /** A path without a file. An incomplete copy is removed. */
  to: string
  /** Called with the completed share, from 0 to 1. */
  onProgress?: (share: number) => void
}

/**
 * Copies a consistent snapshot of a database in use into one file without a write-ahead log, and checks every
 * page of the copy. Throws a `DamagedFileError` if the copy, and thus the original, is damaged.
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
  // The open transaction pins the snapshot: otherwise each commit of another process would restart the copy.
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
