import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { loadConsole } from '#server/http/console-app.ts'
import { createAccountLink } from '#server/store/account-links.ts'
import { buildConsole } from '../support/built-console.ts'
import { type IdentityProvider, startIdentityProvider } from '../support/identity-provider.ts'
import { addUser } from '../support/session.ts'
import { startServer, type TestServer } from '../support/start-server.ts'

let provider: IdentityProvider
let server: TestServer

beforeAll(async () => {
  const root = await buildConsole()
  provider = await startIdentityProvider()
  server = await startServer({
    variables: {
      CULVERT_OIDC_ISSUER: provider.issuer,
      CULVERT_OIDC_CLIENT_ID: 'culvert',
      CULVERT_OIDC_CLIENT_SECRET: 'a secret between them',
      CULVERT_OIDC_NAME: 'Example ID',
    },
    loadApp: (services) => loadConsole(root, services),
  })
  await addUser(server.services.store)
}, 120_000)
afterAll(async () => {
  await server.stop()
  await provider.stop()
})
beforeEach(() => {
  provider.identity = { sub: '1', email: 'ada@example.com', email_verified: true, name: 'Ada' }
  provider.breaksSignature = false
})

/** Goes the way of a browser, with its cookies; answers with where it ends, and with the cookies. */
async function signIn(to: string): Promise<{ path: string; cookies: Map<string, string> }> {
  const cookies = new Map<string, string>()
  let url = `${server.origin}/auth/sign-in?to=${encodeURIComponent(to)}`
  for (let hop = 0; hop < 8; hop += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const text of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
      if (url.startsWith(server.origin)) cookies.set(name, value)
    }
    const location = answer.headers.get('location')
    if (location === null) break
    url = new URL(location, url).href
  }
  const { pathname, search } = new URL(url)
  return { path: pathname + search, cookies }
}

const isSignedIn = (cookies: Map<string, string>) =>
  [...cookies.keys()].some((name) => name.endsWith('session_token'))

describe('signing in at the identity provider', () => {
  it('is offered', async () => {
    expect(await (await fetch(`${server.origin}/login`)).text()).toContain('Sign in with <!-- -->Example ID')
  })

  it('lets in who has an account with that address, where they wanted to go', async () => {
    const times = [await signIn('/projects'), await signIn('/projects')]
    expect(times.map(({ path, cookies }) => [path, isSignedIn(cookies)])).toEqual([
      ['/projects', true],
      ['/projects', true],
    ])
  })

  it('makes no account', async () => {
    provider.identity = { sub: '2', email: 'stranger@example.com', email_verified: true, name: 'Stranger' }
    const { path, cookies } = await signIn('/projects')
    expect(path).toMatch(/^\/login\?step=provider-failed/)
    expect(isSignedIn(cookies)).toBe(false)
  })

  it('lets nobody share an account that somebody invited made with their address', async () => {
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
    expect(isSignedIn((await signIn('/projects')).cookies)).toBe(false)
  })

  it('believes no token that the provider did not sign', async () => {
    provider.breaksSignature = true
    const { path, cookies } = await signIn('/projects')
    expect(path).toMatch(/^\/login\?step=provider-failed/)
    expect(isSignedIn(cookies)).toBe(false)
  })

  it('leads to no other site', async () => {
    expect((await signIn('https://evil.example/')).path).toBe('/issues')
  })

  it('leads to the page to sign in at when the way back is not one that began here', async () => {
    for (const query of ['?error=access_denied', '?code=1&state=2', '']) {
      const answer = await fetch(`${server.origin}/auth/callback/oidc${query}`, { redirect: 'manual' })
      expect(answer.headers.get('location')).toContain(`${server.origin}/login?step=provider-failed&error=`)
    }
  })
})
