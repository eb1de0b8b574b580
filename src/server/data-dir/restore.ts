import { existsSync, renameSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { OperatorError } from '#server/errors.ts'
import { makeFolder } from '#server/store/installation/make-folder.ts'
import { claimDataDirAlone } from './claim.ts'
import { copyDatabase, DamagedFileError } from './copy-database.ts'
import { databasePath, openReadOnly, findMismatch, syncFile } from './database-file.ts'
import { replaceDatabase } from './set-aside.ts'
import { dumpSettings, settingsCopyPath, toCopyText, writeSettingsCopy } from './settings-copy.ts'

export interface RestoreOptions {
  dataDir: string
  /** A file that `createBackup` made. */
  source: string
  /** Unix milliseconds. */
  clock: () => number
  onProgress?: (share: number) => void
}

/** What a restore did. */
export interface Restored {
  /** Where the database that was there is now; absent when there was none. */
  replaced?: string
}

/**
 * Puts a checked copy of a backup in the place of the database, which is renamed and kept. Raises an
 * `OperatorError`, and leaves everything as it was, when a server has the directory open or the file is no
 * sound database of a Culvert of this version or an older one.
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { dataDir, clock } = options
  const path = databasePath(dataDir)
  if (resolve(options.source) === resolve(path))
    throw new OperatorError('The database cannot be restored from itself. Name a backup.', 2)
  makeFolder(dataDir)
  const release = claimDataDirAlone(dataDir)
  if (release === undefined) {
    throw new OperatorError(
      `A server or a command of Culvert has ${JSON.stringify(dataDir)} open. Stop it first, then restore.`,
    )
  }
  try {
    const incoming = await copyIn(options, path)
    const replaced = existsSync(path) ? replaceDatabase(path, incoming, clock()) : undefined
    if (replaced === undefined) moveToEmptyPlace(incoming, path)
    syncFile(path)
    // Damaged before the next start, the database must not come back as what it was before.
    await writeSettingsCopy(settingsCopyPath(dataDir), {
      text: toCopyText(dumpSettings(path)),
      databasePath: path,
    })
    return replaced === undefined ? {} : { replaced }
  } finally {
    release()
  }
}

/** A log without its database is of no use, and must not be taken for that of the one that comes. */
function moveToEmptyPlace(incoming: string, path: string): void {
  for (const suffix of ['-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true })
  renameSync(incoming, path)
}

async function copyIn({ source, onProgress }: RestoreOptions, path: string): Promise<string> {
  const incoming = `${path}.restoring`
  rmSync(incoming, { force: true })
  const from = openReadOnly(source)
  try {
    const { schemaVersion } = await copyDatabase({ from, to: incoming, ...(onProgress && { onProgress }) })
    if (schemaVersion === 0) throw new OperatorError(`${JSON.stringify(source)} is no database of Culvert's.`)
    const mismatch = await findMismatch(from)
    if (mismatch !== undefined) throw new OperatorError(`${JSON.stringify(source)} ${mismatch}.`)
    return incoming
  } catch (error) {
    rmSync(incoming, { force: true })
    if (error instanceof DamagedFileError)
      throw new OperatorError(`${error.message}\nNothing was replaced. Restore another backup.`)
    throw error
  } finally {
    from.close()
  }
}
