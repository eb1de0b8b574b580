import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A fresh, empty directory, and how to remove it with everything in it. */
export interface TempDir {
  path: string
  remove(): Promise<void>
}

/** Makes a directory for one test. */
export async function createTempDir(): Promise<TempDir> {
  const path = await mkdtemp(join(tmpdir(), 'culvert-test-'))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}
