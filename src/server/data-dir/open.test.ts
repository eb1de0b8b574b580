import {
  closeSync,
  copyFileSync,
  openSync,
  readdirSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createCommitter } from '#server/store/committer.ts'
import { createProject, listProjectKeys } from '#server/store/projects.ts'
import { makeEventRecord, makeTestFolder, testId, testNow, workOf } from '../../../test/support/test-store.ts'
import { openDataDir, type DataDir } from './open.ts'

const publicKey = testId('key')

async function open(dataDir: string, setsDamageAside = true): Promise<DataDir> {
  const opened = await openDataDir({ dataDir, setsDamageAside, clock: () => testNow })
  onTestFinished(() => opened.close())
  return opened
}

/** A directory with a project and a few hundred events, closed properly; `beforeClosing` sees it while it is open. */
async function fill(beforeClosing?: (path: string) => void): Promise<string> {
  const folder = await makeTestFolder()
  const dataDir = await open(folder)
  const { store } = dataDir
  await createProject(store, { id: 1, name: 'Web', publicKey })
  const committer = createCommitter(store)
  for (let batch = 0; batch < 20; batch += 1) {
    const events = Array.from({ length: 20 }, (_, index) => {
      const eventId = testId(`event ${batch} ${index}`)
      return makeEventRecord({ eventId, groupHash: testId(`group ${index}`), payload: Buffer.from(eventId) })
    })
    await committer.commit(workOf(...events))
  }
  beforeClosing?.(store.path)
  await dataDir.close()
  return folder
}

function overwrite(path: string, offset: number, bytes: Buffer): void {
  const file = openSync(path, 'r+')
  writeSync(file, bytes, 0, bytes.length, offset)
  closeSync(file)
}

const middleOf = (path: string) => Math.floor(statSync(path).size / 8192) * 4096

const damages = {
  'with 8 kB overwritten in its middle': (path: string) =>
    overwrite(path, middleOf(path), Buffer.alloc(8192, 0xa5)),
  'without its header': (path: string) => overwrite(path, 0, Buffer.alloc(100)),
  'cut off near its end': (path: string) =>
    truncateSync(path, Math.floor((statSync(path).size * 0.9) / 4096) * 4096),
}

describe.each(Object.entries(damages))('a database file %s', (_name, damage) => {
  it('is set aside for a fresh one that has its projects and keys', async () => {
    const folder = await fill()
    damage(join(folder, 'culvert.db'))
    const dataDir = await open(folder)
    const { store, setAside } = dataDir
    expect(setAside).toMatchObject({
      path: join(folder, 'culvert-damaged-20261121T123000Z.db'),
      salvaged: { projects: 1, project_keys: 1 },
    })
    expect(await listProjectKeys(store.db)).toMatchObject([{ projectId: 1, publicKey }])
    expect(store.sqlite.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
    await dataDir.close()
    expect((await open(folder)).setAside).toBeUndefined()
    expect(readdirSync(folder)).toContain('culvert-damaged-20261121T123000Z.db')
  })
})

describe('a damaged file', () => {
  it('of which nothing can be read makes way all the same', async () => {
    const folder = await makeTestFolder()
    writeFileSync(join(folder, 'culvert.db'), 'this is a letter and not a database at all'.repeat(1_000))
    const { setAside, store } = await open(folder)
    expect(setAside?.salvaged).toEqual({})
    expect(await listProjectKeys(store.db)).toEqual([])
  })

  it('stays where it is when another process has the directory, and for the command line', async () => {
    const folder = await fill()
    overwrite(join(folder, 'culvert.db'), 0, Buffer.alloc(4096))
    await expect(open(folder, false)).rejects.toThrow(/is damaged\. Restore a backup with "culvert restore/)
    await expect(open(folder, false)).rejects.not.toThrow(/may write in it/)
    expect(readdirSync(folder).filter((name) => name.includes('-damaged-'))).toEqual([])
  })

  it('keeps its place when its write-ahead log is cut off: what is left of that is read', async () => {
    const folder = await makeTestFolder()
    await fill((path) => {
      copyFileSync(path, join(folder, 'culvert.db'))
      copyFileSync(`${path}-wal`, join(folder, 'culvert.db-wal'))
    })
    const log = join(folder, 'culvert.db-wal')
    truncateSync(log, Math.floor(statSync(log).size * 0.7))
    const { store, setAside } = await open(folder)
    expect(setAside).toBeUndefined()
    const rows = store.sqlite.prepare('SELECT count(*) AS n FROM events').get()?.['n']
    expect(Number(rows)).toBeGreaterThan(0)
    expect(store.sqlite.prepare('SELECT sum(event_count) AS n FROM body_blocks').get()).toEqual({ n: rows })
  })
})
