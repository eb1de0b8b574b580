import { createHash, randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import type { Role } from '#server/auth/roles.ts'
import { tokenScopes } from '#server/auth/token-scopes.ts'
import { createApiToken, listApiTokens } from '#server/store/accounts/api-tokens.ts'
import { createAccountLink } from '#server/store/accounts/links.ts'
import { createHttpBrowser, type HttpBrowser } from '#test/http-browser.ts'
import { runCommand } from '#test/run-command.ts'
import { addUser, owner, type TestUser } from '#test/session.ts'
import { variablesOf } from '#test/start-server.ts'
import { startConsole } from '#test/test-console.ts'
import { totpCode } from '#test/totp.ts'
import { userResetPassword } from '../../bin/commands/users/reset-password.ts'

const server = await startConsole()
await addUser(server.services.store)
afterAll(() => server.stop())

interface Member extends TestUser {
  userId: string
  token: string
}

/** A member with a token for the API. */
async function addMember(name: string): Promise<Member> {
  const { store } = server.services
  const member = { name, email: `${name}@example.com`, password: `the long word of ${name}` }
  const userId = await addUser(store, member, 'member')
  const token = await createApiToken(store, { userId, name: 'CI', scopes: ['org:read'] })
  return { ...member, userId, token }
}

async function signedIn({ email, password }: TestUser): Promise<HttpBrowser> {
  const browser = createHttpBrowser(server.origin)
  await browser.post('/login', { email, password })
  expect(browser.isSignedIn()).toBe(true)
  return browser
}

/** The API's answer to a token. */
async function statusOf(token: string): Promise<number> {
  const answer = await fetch(`${server.origin}/api/0/organizations/`, {
    headers: { authorization: `Bearer ${token}` },
  })
  await answer.body?.cancel()
  return answer.status
}

/** True if a browser still has a session after the server's cache of sessions has expired. */
async function isIn(browser: HttpBrowser): Promise<boolean> {
  server.services.accounts.forgetViewers()
  return (await browser.open('/projects')).path === '/projects'
}

/** A link for a new password. */
function newLink({ userId }: Member): Promise<string> {
  return createAccountLink(server.services.store, {
    purpose: { kind: 'password', userId },
    lifetimeMs: 60_000,
  })
}

const newPassword = 'quite another long word'

describe('a new password', () => {
  it('revokes the tokens for the API and ends the other sessions', async () => {
    const member = await addMember('alan')
    const [here, elsewhere] = [await signedIn(member), await signedIn(member)]
    expect(await statusOf(member.token)).toBe(200)
    const fields = { action: 'change-password', password: member.password, newPassword }
    expect((await here.post('/settings', fields)).text).toContain('and your API tokens are revoked.')
    expect(await statusOf(member.token)).toBe(401)
    expect([await isIn(here), await isIn(elsewhere)]).toEqual([true, false])
  })

  it('keeps the tokens if the user chooses to', async () => {
    const member = await addMember('barbara')
    const browser = await signedIn(member)
    expect((await browser.open('/settings')).text).toContain('name="keepTokens"')
    const fields = { action: 'change-password', password: member.password, newPassword, keepTokens: 'on' }
    expect((await browser.post('/settings', fields)).text).toContain('All other sessions were signed out.')
    expect(await statusOf(member.token)).toBe(200)
  })

  it('revokes no token when the current password was wrong', async () => {
    const member = await addMember('claude')
    const browser = await signedIn(member)
    const fields = { action: 'change-password', password: 'wrong', newPassword }
    expect((await browser.post('/settings', fields)).status).toBe(422)
    expect(await statusOf(member.token)).toBe(200)
  })

  it('through the link of the command line revokes the tokens for the API and ends every session', async () => {
    const member = await addMember('dorothy')
    const browser = await signedIn(member)
    const { stdout } = await runCommand(userResetPassword, [member.email], variablesOf(server))
    const [path = ''] = /\/password\/\S+/.exec(stdout) ?? []
    const visitor = createHttpBrowser(server.origin)
    expect((await visitor.post(path, { password: newPassword })).path).toBe('/login?step=new-password')
    expect(await statusOf(member.token)).toBe(401)
    expect(await isIn(browser)).toBe(false)
  })
})

describe('links for a new password', () => {
  it('no longer work once another one was used', async () => {
    const member = await addMember('frances')
    const [lost, used] = [await newLink(member), await newLink(member)]
    const visitor = createHttpBrowser(server.origin)
    await visitor.post(`/password/${used}`, { password: newPassword })
    expect((await visitor.post(`/password/${lost}`, { password: 'a third long word' })).status).toBe(410)
    await signedIn({ ...member, password: newPassword })
  })

  it('no longer work once the user has changed the password', async () => {
    const member = await addMember('grace')
    const link = await newLink(member)
    const browser = await signedIn(member)
    await browser.post('/settings', { action: 'change-password', password: member.password, newPassword })
    const visitor = createHttpBrowser(server.origin)
    expect((await visitor.post(`/password/${link}`, { password: 'a third long word' })).status).toBe(410)
  })
})

/** A member, and the path of an invitation that the member has created, both with a role. */
async function addInviting(role: 'admin' | 'owner') {
  const name = `inviting-${randomUUID()}`
  const member = { name, email: `${name}@example.com`, password: `the long word of ${name}` }
  const userId = await addUser(server.services.store, member, role)
  const browser = await signedIn(member)
  const invite = { action: 'invite', organization: '1', role, projects: 'all', note: '' }
  const { text } = await browser.post('/settings/members', invite)
  const [path = ''] = /\/invite\/[\w-]+/.exec(text) ?? []
  return { userId, path }
}

describe('the invitations that a member has created', () => {
  const all = { projects: 'all' }
  it.each([
    ['a removed admin', 'admin', { action: 'remove-member' }],
    ['an admin who becomes a member', 'admin', { action: 'change-member', role: 'member', ...all }],
    ['an owner who becomes an admin', 'owner', { action: 'change-member', role: 'admin', ...all }],
  ] as const)('are revoked: %s', async (_who, role, change) => {
    const { userId, path } = await addInviting(role)
    const kept = [await addInviting(role), await addInviting('admin')]
    const fields = { organization: '1', user: userId, ...change }
    expect((await (await signedIn(owner)).post('/settings/members', fields)).status).toBe(200)
    const visitor = createHttpBrowser(server.origin)
    expect((await visitor.post(path, { action: 'join' })).status).toBe(410)
    for (const other of kept)
      expect((await visitor.open(other.path)).text).toContain('Create account and join')
  })
})

describe('a token', () => {
  const ofMember = ['org:read', 'project:read', 'project:releases', 'event:read', 'event:write']

  it.each<[Role, string[]]>([
    ['viewer', ['org:read', 'project:read', 'event:read']],
    ['member', ofMember],
    ['admin', [...ofMember, 'alerts:write', 'org:admin']],
  ])('of a user with the role %s has only scopes that the role can use', async (role, usable) => {
    const user = { name: role, email: `${role}@example.com`, password: `the long word of ${role}` }
    const userId = await addUser(server.services.store, user, role)
    const browser = await signedIn(user)
    const { text } = await browser.open('/settings/tokens')
    expect([...text.matchAll(/name="scopes"[^>]* value="([^"]+)"/g)].map(([, scope]) => scope)).toEqual(
      usable,
    )
    const create = (scopes: string) =>
      browser.post('/settings/tokens', { action: 'create', name: 'CI', scopes })
    for (const scope of tokenScopes.filter((each) => !usable.includes(each)))
      expect(await create(scope)).toMatchObject({
        status: 422,
        text: expect.stringContaining(`Your role doesn’t allow ${scope}.`) as string,
      })
    expect(await listApiTokens(server.services.store.db, userId)).toEqual([])
    expect((await create(usable.at(-1) ?? '')).text).toContain('sntryu_')
  })
})

describe('an invitation with a new link', () => {
  it('belongs to the member who has renewed it', async () => {
    const { userId, path } = await addInviting('admin')
    const browser = await signedIn(owner)
    const invite = createHash('sha256').update(path.slice('/invite/'.length)).digest('hex')
    const renewed = await browser.post('/settings/members', {
      action: 'renew-invite',
      organization: '1',
      invite,
    })
    const [renewedPath = ''] = /\/invite\/[\w-]+/.exec(renewed.text) ?? []
    await browser.post('/settings/members', { action: 'remove-member', organization: '1', user: userId })
    const visitor = createHttpBrowser(server.origin)
    expect((await visitor.open(renewedPath)).text).toContain('Create account and join')
  })
})

describe('the second factor', () => {
  it('ends the other sessions once its code was confirmed, and not earlier', async () => {
    const member = await addMember('edsger')
    const [here, elsewhere] = [await signedIn(member), await signedIn(member)]
    const started = await here.post('/settings', { action: 'start-two-factor', password: member.password })
    const uri = /name="uri" value="([^"]+)"/.exec(started.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const secret = new URL(uri).searchParams.get('secret') ?? ''
    const confirm = (code: string) =>
      here.post('/settings', { action: 'confirm-two-factor', uri, codes: '', code })
    expect((await confirm('000000')).status).toBe(422)
    expect(await isIn(elsewhere)).toBe(true)
    expect((await confirm(totpCode(secret))).text).toContain('Two-factor authentication turned on')
    expect([await isIn(here), await isIn(elsewhere)]).toEqual([true, false])
  })
})
