import { existsSync, renameSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { errorMessage, OperatorError } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import { retryWhileBusy, within } from '#server/store/engine/sqlite/busy-wait.ts'
import { readFreeSpace } from '#server/store/engine/sqlite/free-space.ts'
import { lastBackupKey, type LastBackup } from '#server/store/installation/settings.ts'
import { copyDatabase } from './copy-database.ts'
import { databasePath, openReadOnly, syncFile } from './database-file.ts'

export interface BackupOptions {
  dataDir: string
  /** The file to create. */
  target: string
  /** Replaces an existing file. */
  overwrites: boolean
  /** Unix milliseconds. */
  clock: () => number
  onProgress?: (share: number) => void
}

/**
 * Copies the database of a data directory, even while a server writes to it, into one verified file. The file
 * appears under its name once it is complete. The database records the time of the backup. Throws an
 * `OperatorError`.
 */
export async function createBackup(options: BackupOptions): Promise<LastBackup> {
  const { dataDir, clock, onProgress } = options
  const path = databasePath(dataDir)
  const target = requireTarget(options)
  const from = openReadOnly(path)
  const part = `${target}.part`
  try {
    requireRoom(dirname(target), statSync(path).size)
    await copyDatabase({ from, to: part, ...(onProgress && { onProgress }) })
    renameSync(part, target)
    syncFile(target)
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new OperatorError(`${JSON.stringify(target)} cannot be written: ${errorMessage(error)}.`)
  } finally {
    from.close()
  }
  const made = { at: clock(), bytes: statSync(target).size, path: target }
  await recordBackup(path, made).catch((error: unknown) => {
    throw new OperatorError(
      `${JSON.stringify(target)} is complete, but the database cannot record its time: ${errorMessage(error)}.`,
    )
  })
  return made
}

function requireTarget({ dataDir, target, overwrites }: BackupOptions): string {
  const path = resolve(target)
  if (path === resolve(databasePath(dataDir)))
    throw new OperatorError('The backup cannot be the database itself. Name another file.', 2)
  if (!existsSync(dirname(path)))
    throw new OperatorError(`The folder ${JSON.stringify(dirname(path))} does not exist.`)
  if (existsSync(path) && !statSync(path).isFile()) {
    throw new OperatorError(
      `${JSON.stringify(path)} is not a file. Name one: ${JSON.stringify(join(path, 'culvert.db'))}`,
      2,
    )
  }
  if (existsSync(path) && !overwrites)
    throw new OperatorError(
      `${JSON.stringify(path)} exists already. Name another file, or replace it with --force.`,
    )
  return path
}

function requireRoom(folder: string, bytes: number): void {
  const freeBytes = readFreeSpace(folder)?.freeBytes
  if (freeBytes === undefined || freeBytes > bytes) return
  throw new OperatorError(
    `The disk of ${JSON.stringify(folder)} has ${freeBytes} bytes left, the backup needs up to ${bytes}.`,
  )
}

/** Independent of migrations: a backup must work next to a server of another version. */
async function recordBackup(path: string, made: LastBackup): Promise<void> {
  const sqlite = new DatabaseSync(path, { timeout: 0 })
  try {
    const record = sqlite.prepare(
      'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    )
    await retryWhileBusy(() => record.run(lastBackupKey, JSON.stringify(made)), within(limits.storeBusyMs))
  } finally {
    sqlite.close()
  }
}
