import { accessSync, constants } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { errorCode } from './errors.ts'

/**
 * True if this process can write to a folder, or create it if it is missing. The error of creating it is not
 * reliable: on a read-only disk Node reports ENOENT for a recursive mkdir.
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
