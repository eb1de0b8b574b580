import { existsSync, mkdirSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Creates a folder and its missing parents. Throws if the system does not allow that.
 *
 * Node's own recursive `mkdir` never returns if the system reports ENOENT for a folder whose parent exists,
 * as in `/proc`: it creates the parent and retries forever. The loop is native code, so no signal handler
 * runs either.
 */
export function makeFolder(folder: string): void {
  const path = resolve(folder)
  if (existsSync(path)) return
  const parent = dirname(path)
  if (parent !== path) makeFolder(parent)
  try {
    mkdirSync(path)
  } catch (error) {
    // Another process may have created it at the same time.
    if (!existsSync(path)) throw error
  }
}
