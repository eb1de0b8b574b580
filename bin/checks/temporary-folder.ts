import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Linux's in-memory file system. */
const sharedMemory = '/dev/shm'
/** Many times what the suites use at a time; a container has 64 MB by default. */
const leastFreeBytes = 2 * 1024 ** 3

/**
 * Creates a folder for the temporary files of tests, in memory if there is room, so that commits do not wait
 * for a disk. Returns its path and a function that removes it.
 */
export function createTemporaryFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(hasRoom() ? sharedMemory : tmpdir(), 'culvert-test-'))
  // PostgreSQL runs under another account.
  chmodSync(path, 0o711)
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(sharedMemory)
    return bavail * bsize >= leastFreeBytes
  } catch {
    return false
  }
}
