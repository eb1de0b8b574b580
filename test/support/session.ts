import { argon2Sync, randomBytes } from 'node:crypto'
import { firstOrganizationId } from '#server/auth/new-accounts.ts'
import type { Role } from '#server/auth/roles.ts'
import { openDataDir } from '#server/data-dir/open.ts'
import { insertUser, putMembership } from '#server/store/accounts/users.ts'
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

/** Creates an account directly in the store, by default in the first organization. */
export async function addUser(
  store: Store,
  {
    name,
    email,
    password,
    organizationId = firstOrganizationId,
  }: TestUser & { organizationId?: number } = owner,
  role: Role = 'owner',
): Promise<string> {
  const at = store.clock()
  return store.writer.transaction().execute(async (tx) => {
    const passwordHash = hashCheaply(password)
    const userId = await insertUser(tx, { name, email, passwordHash, isEmailVouchedFor: true, at })
    await putMembership(tx, { organizationId, userId, role, at })
    return userId
  })
}

/** Neither this nor a sign-in takes the 30 ms of a real hash: its cost is part of its text. */
function hashCheaply(password: string): string {
  const nonce = randomBytes(16)
  const cost = { memory: 8, passes: 1, parallelism: 1 }
  const tag = argon2Sync('argon2id', { message: password, nonce, tagLength: 32, ...cost })
  const [salt, hash] = [nonce, tag].map((bytes) => bytes.toString('base64').replaceAll('=', ''))
  return `$argon2id$v=19$m=8,t=1,p=1$${salt}$${hash}`
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
