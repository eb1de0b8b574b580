import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { OperatorError } from '#server/errors.ts'
import { pageBytes } from '#server/store/engine/sqlite/connection.ts'
import {
  findSetting,
  lastBackupKey,
  parseLastBackup,
  setSetting,
} from '#server/store/installation/settings.ts'
import { makeTestFolder, testNow } from '#test/test-store.ts'
import { createBackup } from './backup.ts'
import { diagnose } from './diagnosis.ts'
import { openDataDir } from './open.ts'
import { restoreBackup } from './restore.ts'

const clock = () => testNow

const open = (dataDir: string) => openDataDir({ dataDir, setsDamageAside: false, clock })

/** A data directory whose settings contain `before`, and a folder next to it. */
async function setUp() {
  const folder = await makeTestFolder()
  const dataDir = join(folder, 'data')
  const target = join(folder, 'backup.db')
  const { store, close } = await opened(dataDir)
  await setSetting(store, 'state', 'before')
  await close()
  const back = (overwrites = false) => createBackup({ dataDir, target, overwrites, clock })
  const restore = (source = target) => restoreBackup({ dataDir, source, clock })
  return { folder, dataDir, target, back, restore }
}

async function opened(dataDir: string) {
  const directory = await open(dataDir)
  return { store: directory.store, close: () => directory.close() }
}

async function stateOf(dataDir: string): Promise<string | undefined> {
  const { store, close } = await opened(dataDir)
  const state = await findSetting(store.db, 'state')
  await close()
  return state
}

function damageMiddle(path: string): void {
  const file = openSync(path, 'r+')
  writeSync(file, Buffer.alloc(8192, 0xa5), 0, 8192, Math.floor(statSync(path).size / 8192) * 4096)
  closeSync(file)
}

describe('a backup', () => {
  it('is one file without a log, is recorded in the database, and restores the former state', async () => {
    const { folder, dataDir, target, back, restore } = await setUp()
    const { store, close } = await opened(dataDir)
    const made = await back()
    expect(made).toEqual({ at: testNow, bytes: statSync(target).size, path: target })
    expect(parseLastBackup(await findSetting(store.db, lastBackupKey))).toEqual(made)
    await setSetting(store, 'state', 'after')
    await expect(restore()).rejects.toThrow('Stop it first')
    await close()
    expect(readdirSync(folder).toSorted()).toEqual(['backup.db', 'data'])

    const { replaced } = await restore()
    expect(await stateOf(dataDir)).toBe('before')
    const kept = new DatabaseSync(replaced ?? '')
    expect(kept.prepare("SELECT value FROM settings WHERE key = 'state'").get()).toEqual({ value: 'after' })
    kept.close()
  })

  it('replaces an existing target only with overwrites, and only a file', async () => {
    const { folder, dataDir, target, back } = await setUp()
    writeFileSync(target, 'mine')
    await expect(back()).rejects.toThrow('exists already')
    expect(readFileSync(target, 'utf8')).toBe('mine')
    await expect(back(true)).resolves.toMatchObject({ path: target })
    const elsewhere = (path: string) => createBackup({ dataDir, target: path, overwrites: true, clock })
    await expect(elsewhere(folder)).rejects.toThrow('is not a file')
    await expect(elsewhere(join(folder, 'missing/backup.db'))).rejects.toThrow('does not exist')
    await expect(elsewhere(join(dataDir, 'culvert.db'))).rejects.toThrow('database itself')
    await expect(elsewhere(join(folder, 'b'.repeat(300)))).rejects.toThrow('cannot be written: ')
  })

  it('of a damaged database fails and leaves no file', async () => {
    const { dataDir, target, back } = await setUp()
    damageMiddle(join(dataDir, 'culvert.db'))
    await expect(back()).rejects.toThrow('damaged')
    expect(existsSync(target)).toBe(false)
    expect(existsSync(`${target}.part`)).toBe(false)
  })
})

describe('a restore', () => {
  it('names the file that this user cannot read or lock', async () => {
    const { dataDir, back, restore } = await setUp()
    await back()
    await expect(restore('b'.repeat(300))).rejects.toThrow('cannot be read: ENAMETOOLONG')
    rmSync(join(dataDir, 'culvert.lock'))
    mkdirSync(join(dataDir, 'culvert.lock'))
    await expect(restore()).rejects.toThrow('culvert.lock" cannot be locked: ')
    await expect(restore()).rejects.toBeInstanceOf(OperatorError)
  })

  it('keeps the mode and the owner of the database, or gives it the owner of the folder', async () => {
    const { dataDir, back, restore } = await setUp()
    await back()
    const database = join(dataDir, 'culvert.db')
    // Only root can give a file to another user.
    const [own = 0, ownGroup = 0] = [process.getuid?.(), process.getgid?.()]
    const server = own === 0 ? { uid: 1_000, gid: 1_000 } : { uid: own, gid: ownGroup }
    chownSync(database, server.uid, server.gid)
    chmodSync(database, 0o640)
    await restore()
    expect(statSync(database)).toMatchObject({ ...server, mode: 0o100640 })
    for (const name of readdirSync(dataDir)) rmSync(join(dataDir, name))
    chownSync(dataDir, server.uid, server.gid)
    await restore()
    expect(statSync(database)).toMatchObject(server)
    for (const name of ['culvert-settings.json', 'culvert.lock'])
      expect(statSync(join(dataDir, name))).toMatchObject(server)
  })

  it('rejects a broken, foreign or newer file and changes nothing', async () => {
    const { folder, dataDir, target, back, restore } = await setUp()
    const foreign = join(folder, 'foreign.db')
    new DatabaseSync(foreign).exec('CREATE TABLE a (b)')
    await expect(restore(foreign)).rejects.toThrow('not a database of Culvert')
    writeFileSync(foreign, 'not a database'.repeat(1_000))
    await expect(restore(foreign)).rejects.toThrow('cannot be read')
    await expect(restore(join(folder, 'missing.db'))).rejects.toThrow('No database at')
    await back()
    const newer = new DatabaseSync(target)
    newer.exec(`INSERT INTO schema_migrations VALUES (9999, '9999_future', 0)`)
    newer.close()
    await expect(restore()).rejects.toThrow('newer Culvert')
    await back(true)
    const development = new DatabaseSync(target)
    development.exec(`UPDATE schema_migrations SET name = '0001_projects_issues_events'`)
    development.close()
    await expect(restore()).rejects.toThrow('never released')
    await back(true)
    damageMiddle(target)
    await expect(restore()).rejects.toThrow('damaged')
    expect(readdirSync(dataDir).toSorted()).toEqual(['culvert-settings.json', 'culvert.db', 'culvert.lock'])
    expect(await stateOf(dataDir)).toBe('before')
  })

  it('sends no message that was pending in the backup', async () => {
    const { dataDir, back, restore } = await setUp()
    const before = await opened(dataDir)
    before.store.connection.exec(`INSERT INTO alert_transitions (project_id, id, issue_id, kind, at, detail)
      VALUES (1, 'a', 1, 'new', 0, '{}')`)
    for (const status of ['waiting', 'sent'])
      before.store.connection.exec(`INSERT INTO alert_deliveries
        (id, organization_id, kind, first_project_id, transition_count, message, created_at, due_at, expires_at, status)
        VALUES ('${status}', 1, 'issues', 1, 0, '{"rules":[],"transitions":[]}', 0, 0, 9e15, '${status}')`)
    await before.close()
    await back()
    await restore()
    const { store, close } = await opened(dataDir)
    const rows = store.connection.prepare('SELECT id, status FROM alert_deliveries ORDER BY id').all()
    expect(rows.map((row) => [row['id'], row['status']])).toEqual([
      ['sent', 'sent'],
      ['waiting', 'cancelled'],
    ])
    expect(store.connection.prepare('SELECT 1 FROM alert_transitions').get()).toBeUndefined()
    await close()
  })

  it('gives a database of an earlier version the current page size', async () => {
    const { folder, dataDir, target, back, restore } = await setUp()
    await back()
    const earlier = join(folder, 'earlier.db')
    const sqlite = new DatabaseSync(target)
    sqlite.exec('PRAGMA page_size = 4096')
    sqlite.prepare('VACUUM INTO ?').run(earlier)
    sqlite.close()
    // Left by a restore that was killed.
    writeFileSync(join(dataDir, 'culvert.db.restoring-renewed'), 'half of it')
    await restore(earlier)
    expect(readdirSync(dataDir).filter((name) => name.includes('renewed'))).toEqual([])
    const { store, close } = await opened(dataDir)
    expect(store.connection.prepare('PRAGMA page_size').get()).toEqual({ page_size: pageBytes })
    expect(store.connection.prepare('PRAGMA auto_vacuum').get()).toEqual({ auto_vacuum: 2 })
    expect(await findSetting(store.db, 'state')).toBe('before')
    await close()
    expect(await diagnose(dataDir, testNow)).toMatchObject({ problems: [] })
  })

  it('restores the settings copy, too, which the next start uses if the database is damaged', async () => {
    const { dataDir, back, restore } = await setUp()
    await back()
    const { store, close } = await opened(dataDir)
    await setSetting(store, 'state', 'after')
    await close()
    await restore()
    expect(readFileSync(join(dataDir, 'culvert-settings.json'), 'utf8')).toContain('before')
    writeFileSync(join(dataDir, 'culvert.db'), '')
    const next = await openDataDir({ dataDir, setsDamageAside: true, clock })
    expect(await findSetting(next.store.db, 'state')).toBe('before')
    await next.close()
  })

  it('works in an empty directory, and in place of a damaged file', async () => {
    const { folder, dataDir, target, back, restore } = await setUp()
    await back()
    damageMiddle(join(dataDir, 'culvert.db'))
    await restore()
    expect(await stateOf(dataDir)).toBe('before')
    const fresh = join(folder, 'fresh')
    mkdirSync(fresh)
    expect(await restoreBackup({ dataDir: fresh, source: target, clock })).toEqual({})
    expect(await stateOf(fresh)).toBe('before')
  })
})

describe('a diagnosis', () => {
  it('reports no problem for a sound database, and whether it is in use', async () => {
    const { dataDir, back } = await setUp()
    await back()
    expect(await diagnose(dataDir, testNow)).toMatchObject({
      problems: [],
      isInUse: false,
      deadLetterCount: 0,
    })
    const { close } = await opened(dataDir)
    const { isInUse, tables, lastBackup } = await diagnose(dataDir, testNow)
    expect([isInUse, lastBackup?.at]).toEqual([true, testNow])
    expect(tables.find(({ name }) => name === 'settings')).toMatchObject({ rowCount: 2 })
    await close()
  })

  it('checks the settings copy', async () => {
    const { dataDir } = await setUp()
    const copy = join(dataDir, 'culvert-settings.json')
    expect(await diagnose(dataDir, testNow)).toMatchObject({ settingsCopy: 'up to date', problems: [] })
    writeFileSync(copy, 'hurt')
    const { settingsCopy, problems } = await diagnose(dataDir, testNow)
    expect([settingsCopy, problems.join()]).toEqual(['unreadable', expect.stringContaining('cannot be read')])
    rmSync(copy)
    expect(await diagnose(dataDir, testNow)).toMatchObject({ settingsCopy: 'missing', problems: [] })
  })

  it('reports a damaged database', async () => {
    const { dataDir } = await setUp()
    damageMiddle(join(dataDir, 'culvert.db'))
    const { problems } = await diagnose(dataDir, testNow)
    expect(problems.join()).toContain('The database is damaged')
  })
})
