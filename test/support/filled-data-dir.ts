import { closeSync, openSync, readdirSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createFirstAccount } from '#server/auth/new-accounts.ts'
import { openDataDir, type DataDir } from '#server/data-dir/open.ts'
import { createCommitter } from '#server/store/ingest/committer.ts'
import { createProject } from '#server/store/projects/projects.ts'
import { makeEventRecord, makeTestFolder, testId, testNow, entryOf } from './test-store.ts'

/** Of the project in a filled directory. */
export const filledKey = testId('key')
/** Its owner. */
export const filledOwner = { name: 'Ada', email: 'ada@example.com', password: 'a password for tests' }

/** Opens a data directory until the test ends. */
export async function openUntilEnd(dataDir: string, setsDamageAside = true): Promise<DataDir> {
  const opened = await openDataDir({ dataDir, setsDamageAside, clock: () => testNow })
  onTestFinished(() => opened.close())
  return opened
}

/** The files of a closed directory with a project, a few hundred events and an owner. */
let filled: Promise<[name: string, bytes: Buffer][]> | undefined

/** A folder with a copy of them: creating them takes longer than most tests. */
export async function fillDataDir(): Promise<string> {
  filled ??= fillNewDataDir().then((folder) =>
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]),
  )
  const folder = await makeTestFolder()
  for (const [name, bytes] of await filled) writeFileSync(join(folder, name), bytes, { mode: 0o600 })
  return folder
}

/** A closed directory with a project, a few hundred events and by default an owner. */
export async function fillNewDataDir({
  hasOwner = true,
  beforeClosing = (_path: string) => {},
} = {}): Promise<string> {
  const folder = await makeTestFolder()
  const dataDir = await openUntilEnd(folder)
  const { store } = dataDir
  await createProject(store, { id: 1, name: 'Web', publicKey: filledKey })
  if (hasOwner) await createFirstAccount(store, filledOwner)
  const committer = createCommitter(store)
  for (let batch = 0; batch < 20; batch += 1) {
    const events = Array.from({ length: 20 }, (_, index) => {
      const eventId = testId(`event ${batch} ${index}`)
      return makeEventRecord({ eventId, groupHash: testId(`group ${index}`), payload: Buffer.from(eventId) })
    })
    await committer.commit(entryOf(...events))
  }
  beforeClosing(store.path)
  await dataDir.close()
  return folder
}

/** Writes bytes into a file. */
export function overwriteAt(path: string, offset: number, bytes: Buffer): void {
  const file = openSync(path, 'r+')
  writeSync(file, bytes, 0, bytes.length, offset)
  closeSync(file)
}
