import { expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { createLog } from '#server/log.ts'
import { openTestStore, testNow } from '#test/test-store.ts'
import { dayMs } from '#time/time-steps.ts'
import { createAccounts } from './accounts.ts'
import { createMember, firstOrganizationId } from './new-accounts.ts'
import { signIn } from './sign-in/sign-in.ts'

const ada = { name: 'Ada', email: 'ada@example.com', password: 'a password for tests' }

/** A signed-in user, and the queries since. */
async function openSession() {
  let now = testNow
  const statements: string[] = []
  let beforeRead: (() => void) | undefined
  const onStatement = (sql: string) => {
    statements.push(sql)
    if (!sql.includes('"memberships"')) return
    beforeRead?.()
    beforeRead = undefined
  }
  const store = await openTestStore({ clock: () => now, onStatement })
  const userId =
    (await createMember(store, { ...ada, role: 'owner', organizationId: firstOrganizationId })) ?? ''
  const accounts = createAccounts({
    store,
    log: createLog('silent'),
    origin: () => 'http://127.0.0.1:3000',
    env: {},
  })
  const result = await signIn(accounts, ada, {})
  const setCookies = result.kind === 'signed-in' ? result.cookies : []
  const cookie = setCookies.map((text) => text.split(';', 1)[0]).join('; ')
  return {
    store,
    userId,
    setCookies,
    wait: (ms: number) => void (now += ms),
    findViewer: () => accounts.findViewer(new Headers({ cookie })),
    /** Called right before the next memberships are read. */
    beforeNextRead: (action: () => void) => void (beforeRead = action),
    forgetViewers: () => accounts.forgetViewers(),
    countReads: () => statements.filter((sql) => sql.includes('"memberships"')).length,
  }
}

it('keeps a session cached while events are committed with every request', async () => {
  const { store, findViewer, countReads, wait } = await openSession()
  const ingest = await store.openAgain()
  for (let count = 0; count < 20; count += 1) {
    ingest.connection.exec(`INSERT INTO settings (key, value) VALUES ('k${count}', '')`)
    wait(10)
    expect(await findViewer()).toMatchObject({ email: ada.email })
  }
  expect(countReads()).toBe(1)
})

it('applies a role change of another process within a second', async () => {
  const { store, userId, findViewer, wait } = await openSession()
  expect(await findViewer()).toMatchObject({ memberships: [{ role: 'owner' }] })
  const other = await store.openAgain()
  other.connection.prepare("UPDATE memberships SET role = 'viewer' WHERE user_id = ?").run(userId)
  wait(1_000)
  expect(await findViewer()).toMatchObject({ memberships: [{ role: 'viewer' }] })
  other.connection.prepare('DELETE FROM sessions WHERE user_id = ?').run(userId)
  wait(1_000)
  expect(await findViewer()).toBeUndefined()
})

it('does not cache a viewer whose session is deleted during the look-up', async () => {
  const { store, findViewer, beforeNextRead, forgetViewers } = await openSession()
  beforeNextRead(() => {
    store.connection.exec('DELETE FROM sessions')
    forgetViewers()
  })
  await findViewer()
  expect(await findViewer()).toBeUndefined()
})

it('ends a session ninety days after the sign-in, even when it is used', async () => {
  const { store, findViewer, forgetViewers } = await openSession()
  const beginAgo = (ms: number) => {
    const begun = new Date(store.clock() - ms).toISOString()
    store.connection.prepare('UPDATE sessions SET created_at = ?').run(begun)
    forgetViewers()
  }
  beginAgo(limits.sessionMs - 60_000)
  expect(await findViewer()).toMatchObject({ email: ada.email })
  beginAgo(limits.sessionMs)
  expect(await findViewer()).toBeUndefined()
  expect(store.connection.prepare('SELECT count(*) AS n FROM sessions').get()).toEqual({ n: 0 })
})

it('ends a session thirty days after its last use, and keeps its cookie for ninety days', async () => {
  const { store, findViewer, forgetViewers, setCookies } = await openSession()
  const { connection } = store
  const readUse = () =>
    Date.parse(String(connection.prepare('SELECT updated_at FROM sessions').get()?.['updated_at']))
  const useAgo = (ms: number) => {
    connection.prepare('UPDATE sessions SET updated_at = ?').run(new Date(store.clock() - ms).toISOString())
    forgetViewers()
  }
  const ofSession = setCookies.find((text) => text.includes('session_token='))
  expect(ofSession).toContain(`Max-Age=${(90 * dayMs) / 1_000};`)
  useAgo(dayMs - 60_000)
  await findViewer()
  expect(readUse()).toBe(store.clock() - dayMs + 60_000)
  useAgo(30 * dayMs - 60_000)
  expect(await findViewer()).toMatchObject({ email: ada.email })
  expect(readUse()).toBe(store.clock())
  useAgo(30 * dayMs)
  expect(await findViewer()).toBeUndefined()
})

it('finds a session while another process holds the exclusive lock of writers', async () => {
  const { store, findViewer, forgetViewers } = await openSession()
  const other = await store.openAgain()
  other.connection.exec('BEGIN IMMEDIATE')
  forgetViewers()
  expect(await findViewer()).toMatchObject({ email: ada.email })
  // Throws if the server has ended the transaction meanwhile, for which the session waited then.
  other.connection.exec('COMMIT')
})
