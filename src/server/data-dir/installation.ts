import { statSync } from 'node:fs'
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

function hasContent(path: string): boolean {
  try {
    return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0
  } catch {
    return true
  }
}
