import { accessSync, constants } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { errorCode } from './errors.ts'

/**
 * True when this process may write in a folder, or may make it where it is missing. Making it does not tell
 * why it failed: on a read-only disk Node reports ENOENT for a recursive mkdir.
 */
export function isWritableFolder(folder: string): boolean {
  const path = resolve(folder)
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch (error) {
    const parent = dirname(path)
    return errorCode(error) === 'ENOENT' && parent !== path && isWritableFolder(parent)
  }
}
