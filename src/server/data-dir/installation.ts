import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { OperatorError } from '#server/errors.ts'
import { databasePath } from './database-file.ts'
import { settingsCopyPath } from './settings-copy.ts'

/**
 * True if a data directory has a database, or the copy of the settings of a lost one. An empty database file
 * alone remains from an interrupted first start. Also true for an unreadable folder: opening it reports the
 * reason.
 */
export function hasInstallation(dataDir: string): boolean {
  return hasContent(databasePath(dataDir)) || hasContent(settingsCopyPath(dataDir))
}

/**
 * Throws an `OperatorError` if a data directory has no installation, so that a command does not create one by
 * mistake.
 */
export function requireInstallation(dataDir: string): void {
  if (hasInstallation(dataDir)) return
  throw new OperatorError(
    `No Culvert installation in ${resolve(dataDir)}. ` +
      'Set CULVERT_DATA_DIR to the data directory of your installation, or start the server once with "npm start".',
  )
}

function hasContent(path: string): boolean {
  try {
    return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0
  } catch {
    return true
  }
}
