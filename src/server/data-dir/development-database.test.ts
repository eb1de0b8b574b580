import { readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createFirstAccount } from '#server/auth/new-accounts.ts'
import { hasUsers } from '#server/store/accounts/users.ts'
import { createProject, listProjectKeys } from '#server/store/projects/projects.ts'
import { makeTestFolder, testId, testNow } from '#test/test-store.ts'
import { diagnose } from './diagnosis.ts'
import { openDataDir } from './open.ts'

const open = (dataDir: string) => openDataDir({ dataDir, setsDamageAside: true, clock: () => testNow })

/** A data directory whose database has the first `count` migrations of a development version. */
async function makeDevelopmentDatabase(count: number): Promise<string> {
  const dataDir = await makeTestFolder()
  const opened = await open(dataDir)
  const { store } = opened
  await createProject(store, { id: 1, name: 'Web', publicKey: testId('key') })
  await createFirstAccount(store, { name: 'Ada', email: 'ada@example.com', password: 'a password for tests' })
  store.connection.exec(`DELETE FROM schema_migrations; DROP TABLE issue_traits`)
  const insert = store.connection.prepare(
    'INSERT INTO schema_migrations (version, name, applied_at) VALUES (?, ?, 0)',
  )
  insert.run(1, '0001_projects_issues_events')
  for (let version = 2; version <= count; version += 1) insert.run(version, `000${version}_development`)
  await opened.close()
  return dataDir
}

it.each([1, 33])(
  'a database of a development version with %i migrations is rejected, not set aside',
  async (count) => {
    const dataDir = await makeDevelopmentDatabase(count)
    const files = readdirSync(dataDir)
    await expect(open(dataDir)).rejects.toThrow(
      /made by a development version of Culvert that was never released.*move culvert\.db away/,
    )
    expect(readdirSync(dataDir)).toEqual(files)
    const { problems } = await diagnose(dataDir, testNow)
    expect(problems[0]).toContain('never released')
  },
)

it('a database with a changed byte in the name of a migration opens with all its data', async () => {
  const dataDir = await makeTestFolder()
  const opened = await open(dataDir)
  await createProject(opened.store, { id: 1, name: 'Web', publicKey: testId('key') })
  opened.store.connection.exec(`UPDATE schema_migrations SET name = '0001_schemb'`)
  await opened.close()
  const again = await open(dataDir)
  expect(again.setAside).toBeUndefined()
  expect(await listProjectKeys(again.store.db)).toMatchObject([{ projectId: 1, publicKey: testId('key') }])
  await again.close()
})

it('a start after the database was removed restores projects, keys and accounts', async () => {
  const dataDir = await makeDevelopmentDatabase(33)
  renameSync(join(dataDir, 'culvert.db'), join(dataDir, 'old.db'))
  for (const suffix of ['-wal', '-shm']) rmSync(join(dataDir, `culvert.db${suffix}`), { force: true })
  const opened = await open(dataDir)
  const { store } = opened
  expect(await listProjectKeys(store.db)).toMatchObject([{ projectId: 1, publicKey: testId('key') }])
  expect(await hasUsers(store.db)).toBe(true)
  await opened.close()
})
