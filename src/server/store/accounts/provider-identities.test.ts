import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { createMember, firstOrganizationId } from '#server/auth/new-accounts.ts'
import { applyMigrations, readOwnMigrations } from '#server/store/engine/sqlite/migrations.ts'
import { makeTestFolder, openTestStore, testNow } from '../../../../test/support/test-store.ts'
import { deleteProviderIdentity, hasProviderIdentity, recordIssuer } from './provider-identities.ts'

const insertIdentity = `INSERT INTO credentials (id, user_id, provider_id, account_id, id_token, created_at, updated_at)
  VALUES (?, ?, 'oidc', ?, 'a token', ?, '2026-01-01')`

async function openWithUsers() {
  const store = await openTestStore()
  const userIds = []
  for (const name of ['ada', 'grace']) {
    const member = { name, email: `${name}@example.com`, password: 'a password for tests' }
    userIds.push(
      (await createMember(store, { ...member, organizationId: firstOrganizationId, role: 'member' })) ?? '',
    )
  }
  const [ada = '', grace = ''] = userIds
  const connect = (userId: string, subject: string) =>
    store.sqlite.prepare(insertIdentity).run(subject, userId, subject, '2026-01-01')
  return { store, ada, grace, connect }
}

it('connects one identity to an account, also when two arrive at once', async () => {
  const { store, ada, grace, connect } = await openWithUsers()
  connect(ada, 'sub-1')
  expect(() => connect(ada, 'sub-2')).toThrow('UNIQUE constraint failed')
  expect(await hasProviderIdentity(store.db, ada)).toBe(true)
  expect(await hasProviderIdentity(store.db, grace)).toBe(false)
})

it('disconnects an identity, and leaves the password', async () => {
  const { store, ada, connect } = await openWithUsers()
  connect(ada, 'sub-1')
  expect(await deleteProviderIdentity(store, ada)).toBe(true)
  expect(await deleteProviderIdentity(store, ada)).toBe(false)
  const kept = store.sqlite.prepare('SELECT provider_id FROM credentials WHERE user_id = ?').all(ada)
  expect(kept).toEqual([{ provider_id: 'credential' }])
})

it('disconnects every identity when the issuer is another one: subjects are unique at their issuer only', async () => {
  const { store, ada, grace, connect } = await openWithUsers()
  connect(ada, 'sub-1')
  connect(grace, 'sub-2')
  expect(await recordIssuer(store, 'https://id.example.com')).toBe(0)
  expect(await recordIssuer(store, 'https://id.example.com')).toBe(0)
  expect(await hasProviderIdentity(store.db, ada)).toBe(true)
  expect(await recordIssuer(store, 'https://other.example.com')).toBe(2)
  expect(await hasProviderIdentity(store.db, ada)).toBe(false)
})

it('keeps the first of several identities that an earlier version connected, and none of their tokens', async () => {
  const migrations = await readOwnMigrations()
  const index = migrations.findIndex(({ name }) => name.endsWith('_provider_identities'))
  const sqlite = new DatabaseSync(join(await makeTestFolder(), 'earlier.db'))
  onTestFinished(() => sqlite.close())
  applyMigrations(sqlite, migrations.slice(0, index), () => testNow)
  sqlite.exec(
    `INSERT INTO users (id, name, email, created_at, updated_at) VALUES ('ada', 'Ada', 'ada@example.com', '', '')`,
  )
  const insert = sqlite.prepare(insertIdentity)
  insert.run('c1', 'ada', 'of a stranger', '2026-05-02')
  insert.run('c2', 'ada', 'of the owner', '2026-05-01')
  applyMigrations(sqlite, migrations, () => testNow)
  expect(sqlite.prepare('SELECT account_id, id_token FROM credentials').all()).toEqual([
    { account_id: 'of the owner', id_token: null },
  ])
})
