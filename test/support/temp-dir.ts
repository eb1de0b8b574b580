import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** An empty directory, and a function that removes it with its content. */
export interface TempDir {
  path: string
  remove(): Promise<void>
}

/** Creates a directory for one test. */
export async function createTempDir(): Promise<TempDir> {
  const path = await mkdtemp(join(tmpdir(), 'culvert-test-'))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}
