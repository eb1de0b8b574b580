import { expect, it } from 'vitest'
import { createMember, firstOrganizationId } from '#server/auth/new-accounts.ts'
import { openTestStore } from '#test/test-store.ts'
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
    store.connection.prepare(insertIdentity).run(subject, userId, subject, '2026-01-01')
  return { store, ada, grace, connect }
}

it('connects one identity to an account, even when two arrive at once', async () => {
  const { store, ada, grace, connect } = await openWithUsers()
  connect(ada, 'sub-1')
  expect(() => connect(ada, 'sub-2')).toThrow(/unique/i)
  expect(await hasProviderIdentity(store.db, ada)).toBe(true)
  expect(await hasProviderIdentity(store.db, grace)).toBe(false)
})

it('disconnects an identity, and keeps the password', async () => {
  const { store, ada, connect } = await openWithUsers()
  connect(ada, 'sub-1')
  expect(await deleteProviderIdentity(store, ada)).toBe(true)
  expect(await deleteProviderIdentity(store, ada)).toBe(false)
  const kept = store.connection.prepare('SELECT provider_id FROM credentials WHERE user_id = ?').all(ada)
  expect(kept).toEqual([{ provider_id: 'credential' }])
})

it('disconnects every identity when the issuer is another one: subjects are unique at their issuer only', async () => {
  const { store, ada, grace, connect } = await openWithUsers()
  connect(ada, 'sub-1')
  connect(grace, 'sub-2')
  expect(await recordIssuer(store, 'https://id.example.com')).toBe(0)
  expect(await recordIssuer(store, 'https://id.example.com/')).toBe(0)
  expect(await hasProviderIdentity(store.db, ada)).toBe(true)
  expect(await recordIssuer(store, 'https://other.example.com')).toBe(2)
  expect(await hasProviderIdentity(store.db, ada)).toBe(false)
})
