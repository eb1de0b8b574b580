import {
  chownSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createFirstAccount, createSetupToken } from '#server/auth/new-accounts.ts'
import { verifyPassword } from '#server/auth/password-hash.ts'
import { pageBytes } from '#server/store/engine/sqlite/connection.ts'
import { createCommitter } from '#server/store/ingest/committer.ts'
import { hasLostAccounts } from '#server/store/installation/settings.ts'
import { listProjectKeys } from '#server/store/projects/projects.ts'
import {
  fillDataDir,
  filledKey,
  filledOwner,
  fillNewDataDir,
  openUntilEnd,
  overwriteAt,
} from '#test/filled-data-dir.ts'
import { makeTestFolder, testNow } from '#test/test-store.ts'
import { openDataDir, type DataDir } from './open.ts'

it('a new database, its log and the copy of the settings can be read by their owner alone', async () => {
  const folder = await makeTestFolder()
  const { store } = await openUntilEnd(folder)
  await createFirstAccount(store, filledOwner)
  await expect.poll(() => existsSync(join(folder, 'culvert-settings.json'))).toBe(true)
  const modes = readdirSync(folder)
    .filter((name) => name !== 'culvert.lock')
    .map((name) => [name, statSync(join(folder, name)).mode & 0o777])
  expect(modes.map(([name]) => name)).toEqual(
    expect.arrayContaining(['culvert.db', 'culvert.db-wal', 'culvert-settings.json']),
  )
  expect(modes.filter(([, mode]) => mode !== 0o600)).toEqual([])
})

it('all files of a new installation have the owner of its folder, also if root creates them', async () => {
  const folder = await makeTestFolder()
  // Only root can give a file to another user.
  const [own = 0, ownGroup = 0] = [process.getuid?.(), process.getgid?.()]
  const server = own === 0 ? { uid: 1_000, gid: 1_000 } : { uid: own, gid: ownGroup }
  chownSync(folder, server.uid, server.gid)
  const { store } = await openUntilEnd(folder, false)
  await createFirstAccount(store, filledOwner)
  await expect.poll(() => existsSync(join(folder, 'culvert-settings.json'))).toBe(true)
  const names = readdirSync(folder)
  expect(names).toEqual(
    expect.arrayContaining(['culvert.db', 'culvert.db-shm', 'culvert.db-wal', 'culvert.lock']),
  )
  for (const name of names) expect(statSync(join(folder, name))).toMatchObject(server)
})

it.each(['culvert.db', 'culvert.lock'])('names %s if it cannot be opened, and the solution', async (name) => {
  const folder = await makeTestFolder()
  // Root may open every file, but no folder as a file.
  mkdirSync(join(folder, name))
  await expect(openUntilEnd(folder)).rejects.toThrow(
    `unable to open database file. This user cannot read and write "${join(folder, name)}". Give it the owner of its folder: chown -R`,
  )
})

/** Inverts a byte in each of 200 pages. */
function flipBytes(path: string): void {
  const file = openSync(path, 'r+')
  const pageCount = Math.floor(statSync(path).size / pageBytes)
  const byte = Buffer.alloc(1)
  for (let count = 0; count < 200; count += 1) {
    const offset = ((count * 7919) % pageCount) * pageBytes + ((count * 104_729) % pageBytes)
    readSync(file, byte, 0, 1, offset)
    byte[0] = (byte[0] ?? 0) ^ 0xff
    writeSync(file, byte, 0, 1, offset)
  }
  closeSync(file)
}

/** Changes one letter of a column's name in a table's schema that an index uses too. */
function hurtSchema(path: string): void {
  const bytes = readFileSync(path)
  // Schema pages may also contain earlier versions of the text.
  for (let made = 0; (made = bytes.indexOf('CREATE TABLE outbox (', made + 1)) !== -1;) {
    overwriteAt(path, bytes.indexOf('failed_at', made) + 8, Buffer.from('u'))
  }
}

/** The offsets of the schema in the file. */
function schemaOffsets(path: string): number[] {
  const sqlite = new DatabaseSync(path)
  const pages = sqlite.prepare("SELECT pageno FROM dbstat WHERE name = 'sqlite_schema'").all()
  sqlite.close()
  const bytes = readFileSync(path)
  const isUsed = (offset: number) => offset >= 100 && bytes[offset] !== 0
  return pages
    .flatMap(({ pageno }) =>
      Array.from({ length: pageBytes }, (_, index) => (Number(pageno) - 1) * pageBytes + index),
    )
    .filter(isUsed)
}

const middleOf = (path: string) => Math.floor(statSync(path).size / pageBytes / 2) * pageBytes
const letter = 'this is a letter and not a database at all'

const damages = {
  'with one byte of its schema changed': hurtSchema,
  'with a byte inverted in each of 200 pages': flipBytes,
  'with other text in its place': (path: string) => writeFileSync(path, letter.repeat(1_000)),
  'with its first page overwritten': (path: string) => overwriteAt(path, 0, Buffer.alloc(pageBytes, 0x5a)),
  'without its header': (path: string) => overwriteAt(path, 0, Buffer.alloc(100)),
  'of which half is cut off': (path: string) => truncateSync(path, middleOf(path)),
  'with 8 kB overwritten in its middle': (path: string) =>
    overwriteAt(path, middleOf(path), Buffer.alloc(8192, 0xff)),
  'of no bytes': (path: string) => truncateSync(path, 0),
  'that is gone': (path: string) => rmSync(path),
}

describe.each(Object.entries(damages))('a database file %s', (_name, damage) => {
  it('is replaced by a new one with its projects, keys, accounts and settings', async () => {
    const folder = await fillDataDir()
    damage(join(folder, 'culvert.db'))
    const dataDir = await openUntilEnd(folder)
    const { store, setAside } = dataDir
    expect(setAside).toMatchObject({
      salvaged: { projects: 1, project_keys: 1, users: 1 },
      hasLostAccounts: false,
    })
    expect(await listProjectKeys(store.db)).toMatchObject([{ projectId: 1, publicKey: filledKey }])
    expect(await passwordOf(dataDir)).toBe(true)
    expect(await createSetupToken(store)).toBeUndefined()
    expect(store.connection.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
    expect(store.connection.prepare('PRAGMA foreign_key_check').all()).toEqual([])
    await dataDir.close()
    const next = await openUntilEnd(folder)
    expect(next.setAside).toBeUndefined()
    expect(await passwordOf(next)).toBe(true)
  })

  it('leaves the setup closed when the settings copy is also missing or damaged', async () => {
    for (const hurtCopy of [rmSync, (copy: string) => overwriteAt(copy, 200, Buffer.from('XX'))]) {
      const folder = await fillDataDir()
      damage(join(folder, 'culvert.db'))
      hurtCopy(join(folder, 'culvert-settings.json'))
      for (let start = 0; start < 2; start += 1) {
        const dataDir = await openUntilEnd(folder)
        const hasOwner = (await createFirstAccount(dataDir.store, filledOwner)) === undefined
        const isUnknown = hurtCopy === rmSync && isNothingLeft(damage)
        expect({ start, hasOwner }).toEqual({ start, hasOwner: !isUnknown || start > 0 })
        await dataDir.close()
      }
    }
  })
})

/** No byte of the database or the copy: indistinguishable from a first start. */
const isNothingLeft = (damage: (path: string) => void) =>
  damage === damages['of no bytes'] || damage === damages['that is gone']

async function passwordOf(dataDir: DataDir): Promise<boolean> {
  return verifyPassword((await passwordHashOf(dataDir)) ?? '', filledOwner.password)
}

async function passwordHashOf({ store }: DataDir): Promise<string | null | undefined> {
  const row = await store.db
    .selectFrom('credentials as c')
    .innerJoin('users as u', 'u.id', 'c.user_id')
    .innerJoin('memberships as m', 'm.user_id', 'u.id')
    .select('c.password')
    .where('u.email', '=', filledOwner.email)
    .where('m.role', '=', 'owner')
    .executeTakeFirst()
  return row?.password
}

describe('a damaged file', () => {
  it('with one changed byte in its schema still starts with the keys and the owner', async () => {
    const folder = await fillDataDir()
    const path = join(folder, 'culvert.db')
    const [database, copy] = [readFileSync(path), readFileSync(join(folder, 'culvert-settings.json'))]
    const offsets = schemaOffsets(path)
    const sound = await openUntilEnd(folder)
    const passwordHash = await passwordHashOf(sound)
    expect(await passwordOf(sound)).toBe(true)
    await sound.close()
    const random = fc.sample(fc.record({ at: fc.nat(offsets.length - 1), bit: fc.nat(6) }), {
      numRuns: 40,
      seed: 42,
    })
    for (const { at, bit } of random) {
      for (const name of readdirSync(folder)) rmSync(join(folder, name))
      const hurt = Buffer.from(database)
      const offset = offsets[at] ?? 0
      hurt[offset] = (hurt[offset] ?? 0) ^ (1 << bit)
      writeFileSync(path, hurt)
      writeFileSync(join(folder, 'culvert-settings.json'), copy)
      const dataDir = await openUntilEnd(folder)
      expect(await listProjectKeys(dataDir.store.db)).toMatchObject([{ publicKey: filledKey }])
      expect(await passwordHashOf(dataDir)).toBe(passwordHash)
      // Prepares all statements of ingest.
      await createCommitter(dataDir.store).close()
      await dataDir.close()
    }
  }, 60_000)

  it.each(['project_keys', 'sqlite_autoindex_project_keys_1'])(
    'with one letter of a key changed in %s keeps the key',
    async (btree) => {
      const folder = await fillDataDir()
      const path = join(folder, 'culvert.db')
      const sqlite = new DatabaseSync(path)
      const pages = sqlite.prepare('SELECT pageno FROM dbstat WHERE name = ?').all(btree)
      sqlite.close()
      const starts = pages.map(({ pageno }) => (Number(pageno) - 1) * pageBytes)
      const places = starts.map((start) => readFileSync(path).indexOf(filledKey, start))
      const place = places.find((found, index) => found !== -1 && found < (starts[index] ?? 0) + pageBytes)
      overwriteAt(path, place ?? 0, Buffer.from(filledKey.startsWith('0') ? '1' : '0'))
      const { store, setAside } = await openUntilEnd(folder)
      expect(setAside?.damage).toContain('index')
      const keys = await listProjectKeys(store.db)
      expect(keys.map((stored) => stored.publicKey)).toContain(filledKey)
    },
  )

  it('is set aside under a name with its time', async () => {
    const folder = await fillDataDir()
    overwriteAt(join(folder, 'culvert.db'), 0, Buffer.alloc(pageBytes))
    const { setAside } = await openUntilEnd(folder)
    expect(setAside?.path).toBe(join(folder, 'culvert-damaged-20261121T123000Z.db'))
    expect(readdirSync(folder)).toContain('culvert-damaged-20261121T123000Z.db')
  })

  it('of an installation without accounts keeps the setup open', async () => {
    const folder = await fillNewDataDir({ hasOwner: false })
    writeFileSync(join(folder, 'culvert.db'), letter.repeat(1_000))
    const { store, setAside } = await openUntilEnd(folder)
    expect(setAside?.hasLostAccounts).toBe(false)
    expect(await listProjectKeys(store.db)).toMatchObject([{ publicKey: filledKey }])
    expect(await createSetupToken(store)).toBeTypeOf('string')
  })

  it('is set aside without a settings copy, and the accounts are reported as possibly lost', async () => {
    const folder = await makeTestFolder()
    writeFileSync(join(folder, 'culvert.db'), letter.repeat(1_000))
    const { setAside, store } = await openUntilEnd(folder)
    expect(setAside).toMatchObject({ salvaged: {}, hasLostAccounts: true })
    expect(await hasLostAccounts(store.db)).toBe(true)
    expect(await listProjectKeys(store.db)).toEqual([])
  })

  it('still has its accounts after it is damaged a second time', async () => {
    const folder = await fillDataDir()
    for (let time = 0; time < 3; time += 1) {
      const dataDir = await openUntilEnd(folder)
      expect(await passwordOf(dataDir)).toBe(true)
      await dataDir.close()
      writeFileSync(join(folder, 'culvert.db'), letter.repeat(1_000 + time))
    }
  })

  it('is not moved when another process has the directory open, nor by the command line', async () => {
    const folder = await fillDataDir()
    overwriteAt(join(folder, 'culvert.db'), 0, Buffer.alloc(pageBytes))
    await expect(openUntilEnd(folder, false)).rejects.toThrow(
      /is damaged\. Restore a backup with "culvert restore/,
    )
    await expect(openUntilEnd(folder, false)).rejects.not.toThrow(/may write in it/)
    expect(readdirSync(folder).filter((name) => name.includes('-damaged-'))).toEqual([])
  })

  it('is kept when its write-ahead log is truncated: the rest of the log is read', async () => {
    const folder = await makeTestFolder()
    await fillNewDataDir({
      beforeClosing: (path) => {
        copyFileSync(path, join(folder, 'culvert.db'))
        copyFileSync(`${path}-wal`, join(folder, 'culvert.db-wal'))
      },
    })
    const log = join(folder, 'culvert.db-wal')
    truncateSync(log, Math.floor(statSync(log).size * 0.7))
    const { store, setAside } = await openUntilEnd(folder)
    expect(setAside).toBeUndefined()
    const rows = store.connection.prepare('SELECT count(*) AS n FROM events').get()?.['n']
    expect(Number(rows)).toBeGreaterThan(0)
    expect(store.connection.prepare('SELECT sum(event_count) AS n FROM body_blocks').get()).toEqual({
      n: rows,
    })
  })
})

describe('a lost database', () => {
  it.each(['of no bytes', 'that is gone'] as const)(
    '%s is not recreated by the command line, which would lose the accounts',
    async (damage) => {
      const folder = await fillDataDir()
      damages[damage](join(folder, 'culvert.db'))
      await expect(openUntilEnd(folder, false)).rejects.toThrow(
        /is lost: the file is (?:empty|missing)\. Restore a backup/,
      )
      expect(await passwordOf(await openUntilEnd(folder))).toBe(true)
    },
  )

  it('is distinguished from an interrupted first start, which leaves only an empty file', async () => {
    const folder = await makeTestFolder()
    writeFileSync(join(folder, 'culvert.db'), '')
    const messages: string[] = []
    const log = {
      info: () => {},
      warn: () => {},
      error: (_facts: object, message: string) => void messages.push(message),
    }
    const { store, setAside } = await openDataDir({
      dataDir: folder,
      setsDamageAside: true,
      clock: () => testNow,
      log,
    })
    expect(setAside).toBeUndefined()
    expect(await createSetupToken(store)).toBeTypeOf('string')
    expect(messages).toEqual([expect.stringContaining('the database file is empty')])
    await store.close()
  })
})
