import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { createAccountLink } from '#server/store/accounts/links.ts'
import { createHttpBrowser, type HttpBrowser } from '#test/http-browser.ts'
import { startIdentityProvider } from '#test/identity-provider.ts'
import { findFreePort } from '#test/listen-locally.ts'
import { switchOnSecondFactor } from '#test/second-factor.ts'
import { addUser, cookieOf, type TestUser } from '#test/session.ts'
import type { TestServer } from '#test/start-server.ts'
import { startConsole } from '#test/test-console.ts'
import { totpCode } from '#test/totp.ts'

const ada = { sub: '1', email: 'ada@example.com', email_verified: true, name: 'Ada' }

/** A server with this provider, and the owner `ada@example.com`. */
async function startWithProvider(
  issuer: string,
  variables: Record<string, string> = {},
): Promise<TestServer> {
  const started = await startConsole({
    variables: {
      CULVERT_OIDC_ISSUER: issuer,
      CULVERT_OIDC_CLIENT_ID: 'culvert',
      CULVERT_OIDC_CLIENT_SECRET: 'a secret between them',
      CULVERT_OIDC_NAME: 'Example ID',
      ...variables,
    },
  })
  await addUser(started.services.store)
  return started
}

const provider = await startIdentityProvider()
const server = await startWithProvider(provider.issuer)
afterAll(async () => {
  await server.stop()
  await provider.stop()
})
beforeEach(() => {
  provider.identity = ada
  provider.breaksSignature = false
  provider.omitsIdToken = false
})

/** Signs in at the provider. Returns the final URL, and whether the browser has a session. */
async function signIn(at = server, to = '/projects'): Promise<{ path: string; browser: HttpBrowser }> {
  const browser = createHttpBrowser(at.origin)
  const { path } = await browser.open(`/auth/sign-in?to=${encodeURIComponent(to)}`)
  return { path, browser }
}

/** Expects no session, and this reason on the sign-in page. */
async function expectRejected(reason?: string, at = server): Promise<void> {
  const { path, browser } = await signIn(at)
  const { pathname, searchParams } = new URL(path, at.origin)
  expect([pathname, searchParams.get('step'), searchParams.get('error')]).toEqual([
    '/login',
    'provider-failed',
    reason ?? null,
  ])
  expect(browser.isSignedIn()).toBe(false)
}

/** Signs in at the provider and stops before the redirect to the server. */
async function stopAtCallback(browser: HttpBrowser): Promise<string> {
  return browser.step(await browser.step('/auth/sign-in'))
}

/** Adds a member with this address. */
async function addMember(name: string, at = server): Promise<TestUser> {
  const member = { name, email: `${name}@example.com`, password: `the long word of ${name}` }
  await addUser(at.services.store, member, 'member')
  return member
}

function readCredentials(email: string): Record<string, unknown>[] {
  return server.services.store.connection
    .prepare(
      `SELECT c.* FROM credentials c JOIN users u ON u.id = c.user_id
       WHERE u.email = ? AND c.provider_id = 'oidc'`,
    )
    .all(email)
}

describe('signing in at the identity provider', () => {
  it('is offered', async () => {
    expect(await (await fetch(`${server.origin}/login`)).text()).toContain('Sign in with <!-- -->Example ID')
  })

  it('signs in the account with that address, and redirects to the requested page', async () => {
    for (const { path, browser } of [await signIn(), await signIn()]) {
      expect([path, browser.isSignedIn()]).toEqual(['/projects', true])
    }
  })

  it('creates no account', async () => {
    provider.identity = { sub: '2', email: 'stranger@example.com', email_verified: true, name: 'Stranger' }
    await expectRejected('signup_disabled')
  })

  it('does not sign in to an account that an invited user created with the address of another person', async () => {
    const { store } = server.services
    const token = await createAccountLink(store, {
      purpose: { kind: 'invite', organizationId: 1, role: 'member' },
      note: 'Mallory',
      lifetimeMs: 60_000,
    })
    const email = 'grace@example.com'
    const answer = await fetch(`${server.origin}/invite/${token}`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ name: 'Mallory', email, password: 'a password for tests' }),
    })
    expect(answer.status).toBe(303)
    provider.identity = { sub: '3', email, email_verified: true, name: 'Grace' }
    await expectRejected('account_not_linked')
  })

  it("rejects a token without the provider's signature", async () => {
    provider.breaksSignature = true
    await expectRejected()
  })

  it('writes nothing until the provider has redirected the browser back', async () => {
    const { connection } = server.services.store
    const read = () => connection.prepare('SELECT count(*) AS rows FROM verifications').get()?.['rows']
    const before = read()
    const browser = createHttpBrowser(server.origin)
    const callback = await stopAtCallback(browser)
    expect(read()).toBe(before)
    const other = createHttpBrowser(server.origin)
    expect((await other.open(callback)).path).toMatch(/^\/login\?step=provider-failed/)
    await browser.open(callback)
    expect([browser.isSignedIn(), other.isSignedIn()]).toEqual([true, false])
  })

  it('records the address of the client, which the client cannot choose', async () => {
    const browser = createHttpBrowser(server.origin)
    const callback = await stopAtCallback(browser)
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { cookie, 'x-culvert-client-address': '203.0.113.66' }
    const answer = await fetch(callback, { redirect: 'manual', headers })
    expect(answer.headers.get('location')).toBe('/issues')
    const addresses = server.services.store.connection.prepare('SELECT ip_address FROM sessions').all()
    expect(new Set(addresses.map((row) => row['ip_address']))).toEqual(new Set(['127.0.0.1']))
  })

  it('redirects to no other site', async () => {
    expect((await signIn(server, 'https://evil.example/')).path).toBe('/issues')
  })

  it('redirects to the sign-in if the callback does not belong to a sign-in that started here', async () => {
    for (const query of ['?error=access_denied', '?code=1&state=2', '']) {
      const answer = await fetch(`${server.origin}/auth/callback/oidc${query}`, { redirect: 'manual' })
      expect(answer.headers.get('location')).toContain(`${server.origin}/login?step=provider-failed&error=`)
    }
  })

  it('keeps none of the tokens that the provider issued', async () => {
    for (let time = 0; time < 2; time += 1) {
      await signIn()
      expect(readCredentials(ada.email)).toMatchObject([
        { account_id: '1', access_token: null, refresh_token: null, id_token: null },
      ])
    }
  })
})

describe('an unverified identity', () => {
  const unproven = [
    ['an address that the provider has not verified', { email_verified: false }],
    ['no word about the address', { email_verified: undefined }],
    ['the text "true"', { email_verified: 'true' }],
    ['the number 1', { email_verified: 1 }],
  ] as const

  it.each(unproven)('cannot sign in with %s, neither before nor after it was linked', async (_, claims) => {
    const { email } = await addMember(`member${unproven.findIndex(([what]) => what === _)}`)
    const identity = { sub: `sub of ${email}`, email, name: 'Member' }
    provider.identity = { ...identity, ...claims }
    await expectRejected('email_not_found')
    provider.identity = { ...identity, email_verified: true }
    expect((await signIn()).browser.isSignedIn()).toBe(true)
    provider.identity = { ...identity, ...claims }
    await expectRejected('email_not_found')
  })

  it('is rejected without an id token, whatever the userinfo endpoint answers', async () => {
    provider.omitsIdToken = true
    await expectRejected()
  })

  it('does not learn whether an account exists', async () => {
    provider.identity = { ...ada, email_verified: false }
    await expectRejected('email_not_found')
    provider.identity = { sub: '9', email: 'no-account@example.com', email_verified: false, name: 'X' }
    await expectRejected('email_not_found')
  })
})

describe('another identity with the address of a linked account', () => {
  it('is rejected, and the first one still signs in, also under a new address', async () => {
    const { email } = await addMember('barbara')
    provider.identity = { sub: 'barbara-1', email, email_verified: true, name: 'Barbara' }
    expect((await signIn()).browser.isSignedIn()).toBe(true)
    provider.identity = { sub: 'barbara-2', email, email_verified: true, name: 'Barbara too' }
    await expectRejected('other_identity')
    provider.identity = { sub: 'barbara-1', email: 'b@example.com', email_verified: true, name: 'Barbara' }
    expect((await signIn()).browser.isSignedIn()).toBe(true)
  })

  it('is rejected when many sign in at once: exactly one is connected', async () => {
    const { email } = await addMember('margaret')
    const callbacks: string[] = []
    const browsers: HttpBrowser[] = []
    for (let count = 0; count < 12; count += 1) {
      const browser = createHttpBrowser(server.origin)
      provider.identity = { sub: `margaret-${count}`, email, email_verified: true, name: 'M' }
      callbacks.push(await stopAtCallback(browser))
      browsers.push(browser)
    }
    await Promise.all(browsers.map((browser, index) => browser.open(callbacks[index] ?? '')))
    expect(browsers.filter((browser) => browser.isSignedIn())).toHaveLength(1)
    expect(readCredentials(email)).toHaveLength(1)
  })
})

describe('the second factor of an account', () => {
  it('is required after the identity provider', async () => {
    const member = await addMember('katherine')
    const { secret } = await switchOnSecondFactor(server.origin, member)
    provider.identity = { sub: 'katherine', email: member.email, email_verified: true, name: 'K' }
    const { path, browser } = await signIn()
    expect(path).toBe('/login?step=code&to=%2Fprojects')
    expect(browser.isSignedIn()).toBe(false)
    expect((await browser.open('/projects')).path).toMatch(/^\/login/)
    const wrong = await browser.post('/login', { action: 'code', to: '/projects', code: '000000' })
    expect([wrong.status, browser.isSignedIn()]).toEqual([401, false])
    const right = await browser.post('/login', { action: 'code', to: '/projects', code: totpCode(secret) })
    expect([right.path, browser.isSignedIn()]).toEqual(['/projects', true])
  })

  it('is not required if the operator declares that the provider requires one', async () => {
    const trusting = await startWithProvider(provider.issuer, { CULVERT_OIDC_SECOND_FACTOR: 'provider' })
    const member = await addMember('dorothy', trusting)
    await switchOnSecondFactor(trusting.origin, member)
    provider.identity = { sub: 'dorothy', email: member.email, email_verified: true, name: 'D' }
    const { path, browser } = await signIn(trusting)
    expect([path, browser.isSignedIn()]).toEqual(['/projects', true])
    await trusting.stop()
  })
})

describe('a provider that does not report whether an address is verified', () => {
  it('is accepted if the operator allows it, but not against an explicit claim', async () => {
    const assuming = await startWithProvider(provider.issuer, { CULVERT_OIDC_ASSUME_VERIFIED_EMAIL: '1' })
    provider.identity = { ...ada, email_verified: false }
    await expectRejected('email_not_found', assuming)
    provider.identity = { ...ada, email_verified: undefined }
    expect((await signIn(assuming)).browser.isSignedIn()).toBe(true)
    await assuming.stop()
  })
})

describe('a provider that was down when the server started', () => {
  it('is discovered again at the next sign-in, and passwords work meanwhile', async () => {
    const port = await findFreePort()
    const waiting = await startWithProvider(`http://127.0.0.1:${port}`)
    expect(await cookieOf(waiting.origin)).toContain('session_token')
    await expectRejected('provider_unavailable', waiting)
    const back = await startIdentityProvider(port)
    const { path, browser } = await signIn(waiting)
    expect([path, browser.isSignedIn()]).toEqual(['/projects', true])
    await back.stop()
    await waiting.stop()
  })

  it('delays no other sign-in while it accepts connections and never answers', async () => {
    const hanging = await startIdentityProvider()
    hanging.hangs = true
    const waiting = await startWithProvider(hanging.issuer)
    const state = { isRejected: false }
    const atProvider = expectRejected('provider_unavailable', waiting).then(() => (state.isRejected = true))
    expect(await cookieOf(waiting.origin)).toContain('session_token')
    expect(state.isRejected).toBe(false)
    await atProvider
    hanging.hangs = false
    expect((await signIn(waiting)).browser.isSignedIn()).toBe(true)
    await hanging.stop()
    await waiting.stop()
  })
})
