import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSetupToken } from '#server/auth/new-accounts.ts'
import { loadConsole } from '#server/http/console-app.ts'
import { createAccountLink } from '#server/store/accounts/links.ts'
import { buildConsole } from '../support/built-console.ts'
import { createHttpBrowser } from '../support/http-browser.ts'
import { startServer, type TestServer } from '../support/start-server.ts'

let server: TestServer
let token: string

beforeAll(async () => {
  const root = await buildConsole()
  server = await startServer({ loadApp: (services) => loadConsole(root, services) })
  token = (await createSetupToken(server.services.store)) ?? ''
}, 120_000)
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

/** The page of an invitation for this name or address. */
const invitationFor = async (note: string) => {
  const link = await createAccountLink(server.services.store, {
    purpose: { kind: 'invite', organizationId: 1, role: 'member' },
    note,
    lifetimeMs: 60_000,
  })
  return (await createHttpBrowser(server.origin).open(`/invite/${link}`)).text
}

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
})

it('starts with the first project, which has its name', async () => {
  expect(isFocused((await (await owner()).open('/projects/new')).text, 'name')).toBe(true)
})
