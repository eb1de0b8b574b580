import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Linux's file system in memory. */
const sharedMemory = '/dev/shm'
/** Many times what the suites use at a time; a container has 64 MB by default. */
const leastFreeBytes = 2 * 1024 ** 3

/**
 * Creates a folder for the temporary files of tests, in memory where there is room: a commit waits for no
 * disk. Returns its path and how to remove it.
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
