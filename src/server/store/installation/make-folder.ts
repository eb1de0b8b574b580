import { existsSync, mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Makes a folder, and the folders above it, where they do not exist. Throws when the system does not allow
 * that.
 *
 * Node's own recursive `mkdir` never returns where the system reports ENOENT for a folder whose parent
 * exists, as in `/proc`: it makes the parent and tries again, for ever. That loop is native code, so no
 * signal handler runs either.
 */
export function makeFolder(folder: string): void {
  const path = resolve(folder)
  if (existsSync(path)) return
  const parent = dirname(path)
  if (parent !== path) makeFolder(parent)
  try {
    mkdirSync(path)
  } catch (error) {
    // Another process can have made it at the same time.
    if (!existsSync(path)) throw error
  }
}
