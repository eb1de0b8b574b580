import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openStore } from '#server/store/store.ts'
import { createTempDir } from './temp-dir.ts'

let emptyStore: Promise<Buffer> | undefined

/**
 * Writes a database file with the schema and nothing else. It is copied for each test: applying the
 * migrations takes longer than most tests.
 */
export async function writeEmptyStore(path: string): Promise<void> {
  emptyStore ??= readEmptyStore()
  await writeFile(path, await emptyStore, { mode: 0o600 })
}

async function readEmptyStore(): Promise<Buffer> {
  const folder = await createTempDir()
  const path = join(folder.path, 'culvert.db')
  const store = await openStore({ path, clock: Date.now })
  await store.close()
  const bytes = await readFile(path)
  await folder.remove()
  return bytes
}
