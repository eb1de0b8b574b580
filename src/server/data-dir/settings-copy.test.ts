import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createMember } from '#server/auth/new-accounts.ts'
import { createApiToken, findApiToken } from '#server/store/accounts/api-tokens.ts'
import { findSetting, setSetting } from '#server/store/installation/settings.ts'
import { createProject } from '#server/store/projects/projects.ts'
import { fillDataDir, filledKey, openUntilEnd, overwriteAt } from '#test/filled-data-dir.ts'
import { testNow } from '#test/test-store.ts'
import { pause } from '#test/waiting.ts'
import { openDataDir } from './open.ts'

const copyOf = (folder: string) => readFileSync(join(folder, 'culvert-settings.json'), 'utf8')
const mode = (path: string) => statSync(path).mode & 0o777

describe('the copy of the settings', () => {
  it('includes settings shortly after a change, even by another process, and no received data', async () => {
    const folder = await fillDataDir()
    const before = copyOf(folder)
    expect(before).toContain(filledKey)
    expect(before).not.toContain('events')
    const { store } = await openUntilEnd(folder)
    const other = await openUntilEnd(folder, false)
    await createProject(store, { id: 7, name: 'Storefront' })
    const grace = { name: 'Grace', email: 'grace@example.com', password: 'another word' }
    await createMember(other.store, { ...grace, organizationId: 1, role: 'member' })
    await expect.poll(() => copyOf(folder)).toContain('grace@example.com')
    await expect.poll(() => copyOf(folder)).toContain('Storefront')
  })

  it('is written after the commit of a transaction, even a long one', async () => {
    const folder = await fillDataDir()
    const { store } = await openUntilEnd(folder)
    await store.writer.transaction().execute(async (tx) => {
      await tx.updateTable('organizations').set({ name: 'Acme' }).execute()
      await pause(300)
    })
    await expect.poll(() => copyOf(folder)).toContain('Acme')
  })

  it('has the file mode of the database, and leaves no other file', async () => {
    const folder = await fillDataDir()
    for (const secrecy of [0o600, 0o640]) {
      chmodSync(join(folder, 'culvert.db'), secrecy)
      const dataDir = await openUntilEnd(folder)
      await setSetting(dataDir.store, 'secrecy', String(secrecy))
      await dataDir.close()
      expect(mode(join(folder, 'culvert-settings.json'))).toBe(secrecy)
    }
    expect(readdirSync(folder).toSorted()).toEqual(['culvert-settings.json', 'culvert.db', 'culvert.lock'])
  })

  it('keeps a token for the API, and the secret that sessions and second factors need', async () => {
    const folder = await fillDataDir()
    const first = await openUntilEnd(folder)
    const userId = (await first.store.db.selectFrom('users').select('id').executeTakeFirst())?.id ?? ''
    const token = await createApiToken(first.store, { userId, name: 'CI', scopes: ['org:read'] })
    await setSetting(first.store, 'auth_secret', 'a secret of this installation')
    await first.close()
    writeFileSync(join(folder, 'culvert.db'), 'this is a letter and not a database at all'.repeat(1_000))
    const { store } = await openUntilEnd(folder)
    expect(await findApiToken(store.db, token)).toMatchObject({ userId, scopes: ['org:read'] })
    expect(await findSetting(store.db, 'auth_secret')).toBe('a secret of this installation')
  })

  it('is kept under another name when a byte of a value in the database is changed', async () => {
    const folder = await fillDataDir()
    const earlier = join(folder, 'culvert-settings.earlier.json')
    const copy = readFileSync(join(folder, 'culvert-settings.json'), 'utf8')
    await (await openUntilEnd(folder)).close()
    expect(existsSync(earlier)).toBe(false)

    const path = join(folder, 'culvert.db')
    const bytes = readFileSync(path)
    // The name is in one row and no index, so no SQLite check detects this.
    for (let at = bytes.indexOf('Web'); at !== -1; at = bytes.indexOf('Web', at + 1))
      overwriteAt(path, at, Buffer.from('Wob'))
    const { store } = await openUntilEnd(folder)
    expect(await store.db.selectFrom('projects').select('name').where('id', '=', 1).execute()).toEqual([
      { name: 'Wob' },
    ])
    expect(readFileSync(earlier, 'utf8')).toBe(copy)
    expect(statSync(earlier).mode & 0o777).toBe(0o600)
  })

  it('is not replaced by a database that has lost its accounts', async () => {
    const folder = await fillDataDir()
    const before = copyOf(folder)
    rmSync(join(folder, 'culvert.db'))
    const copy = join(folder, 'culvert-settings.json')
    copyFileSync(copy, join(folder, 'kept'))
    rmSync(copy)
    const fresh = await openUntilEnd(folder)
    await fresh.close()
    copyFileSync(join(folder, 'kept'), copy)
    const again = await openUntilEnd(folder)
    await createProject(again.store, { id: 9, name: 'Nine' })
    await again.close()
    expect(copyOf(folder)).toBe(before)
  })

  it('that cannot be written affects nothing else, and is written as soon as possible', async () => {
    const folder = await fillDataDir()
    rmSync(join(folder, 'culvert-settings.json'))
    const messages: string[] = []
    const log = {
      info: () => {},
      warn: () => {},
      error: (_facts: object, message: string) => void messages.push(message),
    }
    // A folder in its place, which a file cannot be renamed to.
    mkdirSync(join(folder, 'culvert-settings.json', 'x'), { recursive: true })
    const dataDir = await openDataDir({ dataDir: folder, setsDamageAside: true, clock: () => testNow, log })
    await createProject(dataDir.store, { id: 7, name: 'Storefront' })
    rmSync(join(folder, 'culvert-settings.json'), { recursive: true })
    await dataDir.close()
    expect(messages).toEqual(['the copy of the settings cannot be written'])
    expect(copyOf(folder)).toContain('Storefront')
    expect(existsSync(join(folder, 'culvert.db'))).toBe(true)
  })
})
