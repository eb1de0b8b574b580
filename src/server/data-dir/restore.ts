import { chmodSync, existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { errorMessage, OperatorError } from '#server/errors.ts'
import { makeFolder } from '#server/store/installation/make-folder.ts'
import { claimDataDirAlone } from './claim.ts'
import { copyDatabase, DamagedFileError } from './copy-database.ts'
import { databasePath, openReadOnly, findMismatch, syncFile } from './database-file.ts'
import { giveOwner } from './own-files.ts'
import { renewPages } from './renew-pages.ts'
import { replaceDatabase } from './set-aside.ts'
import { dumpSettings, settingsCopyPath, toCopyText, writeSettingsCopy } from './settings-copy.ts'

export interface RestoreOptions {
  dataDir: string
  /** A file of `createBackup`. */
  source: string
  /** Unix milliseconds. */
  clock: () => number
  onProgress?: (share: number) => void
}

/** The result of a restore. */
export interface Restored {
  /** The new path of the replaced database; absent if there was none. */
  replaced?: string
}

/**
 * Replaces the database with a verified copy of a backup. Keeps the old database under another name. Throws
 * an `OperatorError` without changes if a server has the directory open, or if the file is not an intact
 * database of this or an older version.
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
    renewPages(incoming)
    cancelAlerts(incoming, clock())
    handOver(incoming, { path, dataDir })
    const replaced = existsSync(path) ? replaceDatabase(path, incoming, clock()) : undefined
    if (replaced === undefined) moveToFreePath(incoming, path)
    syncFile(path)
    // Otherwise damage before the next start would restore the settings from before the restore.
    await writeSettingsCopy(settingsCopyPath(dataDir), {
      text: toCopyText(dumpSettings(path)),
      databasePath: path,
    })
    return replaced === undefined ? {} : { replaced }
  } finally {
    release()
  }
}

/** Messages that were pending in the backup are outdated: the restored server must not send them. */
function cancelAlerts(path: string, now: number): void {
  const sqlite = new DatabaseSync(path)
  try {
    const table = sqlite.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'alert_deliveries'").get()
    if (table === undefined) return
    sqlite
      .prepare(
        `UPDATE alert_deliveries SET status = 'cancelled', finished_at = ? WHERE status IN ('waiting', 'held')`,
      )
      .run(now)
    sqlite.exec('DELETE FROM alert_transitions; DELETE FROM monitor_signals')
  } finally {
    sqlite.close()
  }
}

/**
 * Gives the restored database the mode and the owner of the one that it replaces: the command may run as
 * root, and the server as another user.
 */
function handOver(incoming: string, { path, dataDir }: { path: string; dataDir: string }): void {
  const isReplacing = existsSync(path)
  if (isReplacing) chmodSync(incoming, statSync(path).mode & 0o666)
  giveOwner(incoming, isReplacing ? path : dataDir)
}

/** A write-ahead log without its database is useless and must not be applied to the new one. */
function moveToFreePath(incoming: string, path: string): void {
  for (const suffix of ['-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true })
  renameSync(incoming, path)
}

async function copyIn({ source, onProgress }: RestoreOptions, path: string): Promise<string> {
  const incoming = `${path}.restoring`
  rmSync(incoming, { force: true })
  const from = openReadOnly(source)
  try {
    const { schemaVersion } = await copyDatabase({ from, to: incoming, ...(onProgress && { onProgress }) })
    if (schemaVersion === 0)
      throw new OperatorError(`${JSON.stringify(source)} is not a database of Culvert.`)
    const mismatch = await findMismatch(from)
    if (mismatch !== undefined) throw new OperatorError(`${JSON.stringify(source)} ${mismatch}.`)
    return incoming
  } catch (error) {
    rmSync(incoming, { force: true })
    if (error instanceof DamagedFileError)
      throw new OperatorError(`${error.message}\nNothing was replaced. Restore another backup.`)
    if (error instanceof OperatorError) throw error
    throw new OperatorError(
      `${JSON.stringify(incoming)} cannot be written: ${errorMessage(error)}. Nothing was replaced.`,
    )
  } finally {
    from.close()
  }
}
