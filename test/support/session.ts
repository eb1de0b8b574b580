import { createMember, firstOrganizationId } from '#server/auth/new-accounts.ts'
import type { Role } from '#server/auth/roles.ts'
import { openDataDir } from '#server/data-dir/open.ts'
import type { Store } from '#server/store/store.ts'

/** A user with an account. */
export interface TestUser {
  name: string
  email: string
  password: string
}

/** The owner of every server under test. */
export const owner: TestUser = {
  name: 'Ada Owner',
  email: 'ada@example.com',
  password: 'a password for tests',
}

/** The cookie of a signed-in user. */
export interface SessionCookie {
  name: string
  value: string
}

/** Creates an account in the first organization, directly in the store. */
export async function addUser(store: Store, user: TestUser = owner, role: Role = 'owner'): Promise<string> {
  const userId = await createMember(store, { ...user, role, organizationId: firstOrganizationId })
  if (userId === undefined) throw new Error(`${user.email} already has an account`)
  return userId
}

/** Creates the owner's account in a data directory that no server has open yet. */
export async function addOwnerIn(dataDir: string): Promise<void> {
  await inDataDir(dataDir, (store) => addUser(store))
}

/** Creates the owner's account and `grace@example.com`, a member, in the same way. */
export async function addMemberIn(dataDir: string): Promise<void> {
  await inDataDir(dataDir, async (store) => {
    await addUser(store)
    await addUser(store, { ...owner, name: 'Grace Member', email: 'grace@example.com' }, 'member')
  })
}

async function inDataDir(dataDir: string, add: (store: Store) => Promise<unknown>): Promise<void> {
  const opened = await openDataDir({ dataDir, clock: Date.now, setsDamageAside: false })
  await add(opened.store)
  await opened.close()
}

/** Creates the first account at the printed address, and returns its session. */
export async function setUpOwner(origin: string, printed: string): Promise<SessionCookie> {
  const token = /\/setup\?token=([\w-]+)/.exec(printed)?.[1]
  if (token === undefined) throw new Error(`No setup token was printed:\n${printed}`)
  return postForSession(`${origin}/setup`, { token, organization: 'Example', ...owner })
}

/** Signs a user in with the form, and returns the session. */
export function signInAt(origin: string, { email, password }: TestUser = owner): Promise<SessionCookie> {
  return postForSession(`${origin}/login`, { email, password })
}

/** The session as a `Cookie` header. */
export async function cookieOf(origin: string, user: TestUser = owner): Promise<string> {
  const { name, value } = await signInAt(origin, user)
  return `${name}=${value}`
}

/** Posts a sign-in form. Throws when it fails. */
async function postForSession(url: string, fields: Record<string, string>): Promise<SessionCookie> {
  const answer = await fetch(url, { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) })
  const cookie = answer.headers.getSetCookie().find((text) => text.includes('session_token='))
  const [, name, value] = /^([^=]+)=([^;]+)/.exec(cookie ?? '') ?? []
  if (name === undefined || value === undefined) {
    throw new Error(`${url} answered ${answer.status} without a session`)
  }
  return { name, value }
}
