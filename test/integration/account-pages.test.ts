import { afterAll, describe, expect, it } from 'vitest'
import { createSetupToken } from '#server/auth/new-accounts.ts'
import { createAccountLink, listInvites } from '#server/store/accounts/links.ts'
import { createHttpBrowser } from '#test/http-browser.ts'
import { addUser } from '#test/session.ts'
import { startConsole } from '#test/test-console.ts'

const server = await startConsole()
const token = (await createSetupToken(server.services.store)) ?? ''
afterAll(() => server.stop())

const ada = {
  organization: 'Analytical Engines & Söhne',
  name: 'Ada',
  email: 'ada@example.com',
  password: 'a password for tests',
}

const hasField = (html: string, name: string) => html.includes(`name="${name}"`)
const isFocused = (html: string, name: string) =>
  new RegExp(`<input[^>]*name="${name}"[^>]*autofocus|<input[^>]*autofocus[^>]*name="${name}"`, 'i').test(
    html,
  )

/** In this order: the last test creates the owner. */
describe('the setup page', () => {
  it('is where a request leads while there is no account, also one of the sign-in page', async () => {
    for (const path of ['/', '/issues', '/login'])
      expect((await createHttpBrowser(server.origin).open(path)).path).toBe('/setup')
  })

  it('requires the token first, and rejects a wrong one before other fields are filled in', async () => {
    const browser = createHttpBrowser(server.origin)
    for (const path of ['/setup', '/setup?token=', `/setup?token=${token.slice(1)}`]) {
      const { text } = await browser.open(path)
      expect([hasField(text, 'token'), hasField(text, 'password')]).toEqual([true, false])
      expect(text.includes('Invalid token')).toBe(path.length > 15)
      expect(isFocused(text, 'token')).toBe(true)
    }
    const { text } = await browser.open(`/setup?token=${token}`)
    expect([hasField(text, 'organization'), hasField(text, 'password')]).toEqual([true, true])
    expect(isFocused(text, 'organization')).toBe(true)
  })

  it('keeps the entered values when the server was restarted meanwhile', async () => {
    const browser = createHttpBrowser(server.origin)
    const { status, text } = await browser.post('/setup?token=old', {
      action: 'create',
      ...ada,
      token: 'old',
    })
    expect(status).toBe(403)
    expect(text).toContain('Invalid token')
    expect(text).toContain('value="Ada"')
    expect(text).toContain('value="ada@example.com"')
    expect(text).toContain('value="Analytical Engines &amp; Söhne"')
  })

  it.each([
    ['aaaaaaaaaa', 'It repeats the same characters'],
    ['password123', 'many people use'],
    ['ada@example.com', 'name or email address'],
    ['short', 'at least 10 characters'],
  ])('rejects the password %s with a reason', async (password, reason) => {
    const browser = createHttpBrowser(server.origin)
    const fields = { action: 'create', ...ada, password, token }
    const { status, text } = await browser.post(`/setup?token=${token}`, fields)
    expect([status, text]).toEqual([422, expect.stringContaining(reason)])
    expect(browser.isSignedIn()).toBe(false)
  })

  it('names the organization, and its slug for tools', async () => {
    const browser = createHttpBrowser(server.origin)
    const nameless = await browser.post(`/setup?token=${token}`, {
      action: 'create',
      ...ada,
      organization: ' ',
      token,
    })
    expect([nameless.status, nameless.text]).toEqual([
      422,
      expect.stringContaining('Enter the name of your company'),
    ])
    const { path } = await browser.post(`/setup?token=${token}`, { action: 'create', ...ada, token })
    expect(path).toBe('/issues')
    expect(server.services.store.connection.prepare('SELECT name, slug FROM organizations').all()).toEqual([
      { name: 'Analytical Engines & Söhne', slug: 'analytical-engines-sohne' },
    ])
    expect((await browser.open('/settings/members')).text).toContain('Analytical Engines &amp; Söhne')
  })
})

async function owner() {
  const browser = createHttpBrowser(server.origin)
  await browser.post('/login', { email: ada.email, password: ada.password })
  return browser
}

it('the sign-in leads to the requested page, and to no other site', async () => {
  for (const [to, path] of [
    ['/outcomes', '/outcomes'],
    ['//evil.example/', '/issues'],
  ] as const) {
    const browser = createHttpBrowser(server.origin)
    const { text } = await browser.open(`/login?to=${encodeURIComponent(to)}`)
    expect(text).toContain(`name="to" value="${to}"`)
    const fields = { email: ada.email, password: ada.password, to }
    expect((await browser.post('/login', fields)).path).toBe(path)
  }
})

it('the sign-in page redirects a signed-in user to the requested page, and to no other site', async () => {
  const browser = await owner()
  expect((await browser.open('/login')).path).toBe('/issues')
  expect((await browser.open('/login?to=%2Foutcomes')).path).toBe('/outcomes')
  expect((await browser.open('/login?to=%2F%2Fevil.example%2F')).path).toBe('/issues')
  for (const step of ['code', 'provider-failed'])
    expect((await browser.open(`/login?step=${step}`)).path).toBe(`/login?step=${step}`)
})

describe('an organization', () => {
  it('is renamed by its owners, and keeps its slug', async () => {
    const browser = await owner()
    const rename = { action: 'rename-organization', organization: '1', name: 'Difference Engines' }
    await browser.post('/settings/members', rename)
    expect((await browser.open('/settings/members')).text).toContain('Difference Engines')
    expect(server.services.store.connection.prepare('SELECT slug FROM organizations').all()).toEqual([
      { slug: 'analytical-engines-sohne' },
    ])
    const nobody = createHttpBrowser(server.origin)
    await nobody.post('/settings/members', { ...rename, name: 'Mine' })
    expect((await browser.open('/settings/members')).text).not.toContain('Mine')
  })
})

/** The path of a new invitation. */
const createInvitation = async (note: string, lifetimeMs = 60_000) => {
  const secret = await createAccountLink(server.services.store, {
    purpose: { kind: 'invite', organizationId: 1, role: 'viewer' },
    note,
    lifetimeMs,
  })
  return `/invite/${secret}`
}

/** Its page, as somebody without an account sees it. */
const invitationFor = async (note: string) =>
  (await createHttpBrowser(server.origin).open(await createInvitation(note))).text

describe('an invitation', () => {
  it('shows the organization by its name, and fills in the address of the invitation', async () => {
    const html = await invitationFor('Grace@Example.com')
    expect(html).toContain('Join Difference Engines')
    expect(html).toMatch(/<input[^>]*name="email"[^>]*value="grace@example.com"/)
    expect(isFocused(html, 'name')).toBe(true)
  })

  it('fills in nothing if the invitation has a name only', async () => {
    expect(await invitationFor('Grace Hopper')).toMatch(/<input[^>]*name="email"[^>]*value=""/)
  })

  it('reports that it has expired', async () => {
    const path = await createInvitation('late@example.com', -60_000)
    const { text } = await createHttpBrowser(server.origin).open(path)
    expect(text).toContain('Invitation no longer valid')
    expect(text).toContain('It expired')
  })

  it('gets a new link, even after it has expired, and the old one no longer works', async () => {
    const browser = await owner()
    const path = await createInvitation('renewed@example.com', -60_000)
    expect((await browser.open('/settings/members')).text).toMatch(/renewed@example\.com.*?expired/s)
    const invites = await listInvites(server.services.store.db, 1)
    const invite = invites.find(({ note }) => note === 'renewed@example.com')?.tokenHash ?? ''
    const renew = { action: 'renew-invite', organization: '1', invite }
    const { text } = await browser.post('/settings/members', renew)
    const renewed = /\/invite\/[\w-]+/.exec(text)?.[0] ?? ''
    const stranger = createHttpBrowser(server.origin)
    expect((await stranger.open(renewed)).text).toContain('Join Difference Engines')
    expect((await stranger.open(path)).text).toContain('It was used, revoked or replaced by a new link.')
    expect((await browser.post('/settings/members', renew)).text).toContain('This invitation was used')
    await stranger.post('/settings/members', renew)
    expect((await stranger.open(renewed)).text).toContain('Join Difference Engines')
  })

  it('does not change the role of a member', async () => {
    const browser = await owner()
    const path = await createInvitation('')
    expect((await browser.open(path)).text).toContain('who is a member already')
    const { status, text } = await browser.post(path, { action: 'join' })
    expect(status).toBe(409)
    expect(text).toContain('You are a member already.')
    expect((await browser.open('/settings/members')).text).toContain('Invite a member')
    expect((await createHttpBrowser(server.origin).open(path)).text).toContain('Join Difference Engines')
  })

  it('warns a user with another address, who can sign out and returns to it', async () => {
    const guest = { name: 'Guest', email: 'guest@example.com', password: ada.password }
    const user = await addUser(server.services.store, guest, 'member')
    await (await owner()).post('/settings/members', { action: 'remove-member', organization: '1', user })
    const browser = createHttpBrowser(server.origin)
    await browser.post('/login', { email: guest.email, password: guest.password })
    const path = await createInvitation('grace@example.com')
    const { text } = await browser.open(path)
    expect(text).toContain('This invitation is for <!-- -->grace@example.com')
    expect(text).toContain('Use another account')
    const left = await browser.post('/sign-out', { to: path })
    expect(left.path).toBe(path)
    expect(left.text).toContain('Create account and join')
    expect((await browser.post('/sign-out', { to: 'https://evil.example/' })).path).toMatch(/^\/login/)
  })
})

it('starts with the first project, which has its name', async () => {
  expect(isFocused((await (await owner()).open('/projects/new')).text, 'name')).toBe(true)
})
