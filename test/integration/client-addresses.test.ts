import { request } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { loadConsole } from '#server/http/console-app.ts'
import { updateProjectSettings } from '#server/store/projects/settings.ts'
import { buildConsole } from '#test/built-console.ts'
import { errorEnvelope } from '#test/envelopes.ts'
import { addUser } from '#test/session.ts'
import { fixtureProject, startServer, type TestServer, type TestServerOptions } from '#test/start-server.ts'

const { id, publicKey } = fixtureProject

let server: TestServer
afterEach(() => server.stop())

interface Sent {
  path?: string
  method?: string
  headers?: Record<string, string>
  body?: string
  /** The address of the connection. */
  localAddress?: string
}

function send({ path = '', method = 'POST', headers = {}, body = '', localAddress = '127.0.0.1' }: Sent) {
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]> }>((resolve, reject) => {
    const sent = request(`${server.origin}${path}`, { method, headers, localAddress }, (answer) => {
      answer.resume().on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers }))
    })
    sent.on('error', reject).end(body)
  })
}

const sendEvent = (headers: Record<string, string>, localAddress?: string) =>
  send({
    path: `/api/${id}/envelope/?sentry_key=${publicKey}`,
    headers,
    body: errorEnvelope(),
    ...(localAddress !== undefined && { localAddress }),
  })

function storedAddresses(): unknown[] {
  const rows = server.services.store.connection
    .prepare('SELECT DISTINCT client_address AS address FROM events')
    .all()
  return rows.map(({ address }) => address)
}

async function start(options: TestServerOptions = {}): Promise<void> {
  server = await startServer(options)
  await updateProjectSettings(server.services.store, id, ({ rateLimits }) => ({
    rateLimits: { ...rateLimits, address: { all: { quantity: 5, windowSeconds: 3_600 } } },
  }))
  await server.services.projectKeys.refresh()
}

/** 20 events with a different forged client address each, forwarded by a proxy on this machine. */
async function sendWithForgery(forge: (address: string) => Record<string, string>, peer?: string) {
  const statuses = { 200: 0, 429: 0 }
  for (let at = 1; at <= 20; at += 1) {
    const { status } = await sendEvent(forge(`6.6.6.${at}`), peer)
    if (status === 200 || status === 429) statuses[status] += 1
  }
  return { ...statuses, addresses: storedAddresses() }
}

const client = '203.0.113.7'

describe('a rate limit of 5 per address', () => {
  it.each<[string, (forged: string) => Record<string, string>]>([
    ['a proxy that appends to X-Forwarded-For', (forged) => ({ 'x-forwarded-for': `${forged}, ${client}` })],
    [
      'a proxy that sets it, and X-Sentry-Forwarded-For',
      (forged) => ({ 'x-forwarded-for': client, 'x-sentry-forwarded-for': forged }),
    ],
    [
      'a proxy that sets it, and X-Vercel-Forwarded-For',
      (forged) => ({ 'x-forwarded-for': client, 'x-vercel-forwarded-for': forged }),
    ],
    [
      'a proxy that sets it, and X-Real-IP',
      (forged) => ({ 'x-forwarded-for': client, 'x-real-ip': forged, forwarded: `for=${forged}` }),
    ],
    [
      'a proxy that appends, and a list of its own',
      (forged) => ({ 'x-forwarded-for': `127.0.0.1, ${forged}, 127.0.0.1, ${client}` }),
    ],
  ])('holds behind %s', async (_what, forge) => {
    await start()
    expect(await sendWithForgery(forge)).toEqual({ 200: 5, 429: 15, addresses: [client] })
  })

  it('applies to an untrusted peer, private or not', async () => {
    await start({ variables: { CULVERT_TRUSTED_PROXIES: '127.0.0.1' } })
    expect(await sendWithForgery((forged) => ({ 'x-forwarded-for': forged }), '127.0.0.77')).toEqual({
      200: 5,
      429: 15,
      addresses: ['127.0.0.77'],
    })
  })

  it('applies to each client behind a proxy, and behind two trusted ones', async () => {
    await start({ variables: { CULVERT_TRUSTED_PROXIES: 'loopback,10.0.0.0/8' } })
    const separate = await sendWithForgery((address) => ({ 'x-forwarded-for': `${address}, 10.1.2.3` }))
    expect([separate[200], separate[429], separate.addresses.length]).toEqual([20, 0, 20])
  })
})

async function startConsole(variables: Record<string, string> = {}): Promise<void> {
  const root = await buildConsole()
  await start({ variables, loadApp: (services) => loadConsole(root, services) })
  await addUser(server.services.store)
}

/** The status of a form posted to /sign-out. */
async function post(headers: Record<string, string>): Promise<number> {
  return (await send({ path: '/sign-out', headers })).status
}

/** Strict-Transport-Security of the sign-in page. */
async function readHsts(headers: Record<string, string>, localAddress: string) {
  const answer = await send({ path: '/login', method: 'GET', headers, localAddress })
  return answer.headers['strict-transport-security']
}

describe('the console', () => {
  it('counts failed sign-ins by the same address, and shows it with a session', async () => {
    await startConsole()
    const signIn = (at: number, email: string) =>
      send({
        path: '/login',
        headers: {
          'x-forwarded-for': `6.6.6.${at}, ${client}`,
          'x-vercel-forwarded-for': `6.6.6.${at}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: new URLSearchParams({ email, password: 'a password for tests' }).toString(),
      })
    for (let at = 1; at <= 3; at += 1) expect((await signIn(at, `user${at}@example.com`)).status).toBe(401)
    const { connection } = server.services.store
    // A failure is counted under several names, of which three share the network.
    expect(connection.prepare('SELECT max(failure_count) AS most FROM sign_in_failures').get()).toEqual({
      most: 3,
    })
    expect((await signIn(4, 'ada@example.com')).status).toBe(303)
    expect(connection.prepare('SELECT ip_address AS address FROM sessions').all()).toEqual([
      { address: client },
    ])
  })

  it('redirects to no other host and accepts no other host, whatever X-Forwarded-Host contains', async () => {
    await startConsole()
    for (const path of ['//x', '//x/', '/x/', '/issues/', '//issues//', '/issues', '/', '//evil.example/..'])
      for (const host of ['evil.example', 'evil.example:80']) {
        const { headers } = await send({
          path,
          method: 'GET',
          headers: { 'x-forwarded-host': host, 'x-forwarded-for': client, 'x-forwarded-port': '81' },
        })
        expect([path, JSON.stringify(headers).includes('evil')]).toEqual([path, false])
        const location = headers['location'] ?? '/'
        expect([path, location]).toEqual([path, expect.stringMatching(/^\/(?!\/)/)])
        expect([path, headers['cache-control']]).toEqual([path, expect.stringContaining('no-store')])
      }
  })

  it('accepts X-Forwarded-Host from a trusted proxy if it is the host of CULVERT_ORIGIN', async () => {
    await startConsole({ CULVERT_ORIGIN: 'https://culvert.example.com' })
    const origin = 'https://culvert.example.com'
    const https = { origin, 'x-forwarded-proto': 'https' }
    expect(await post(https)).toBe(403)
    expect(await post({ ...https, 'x-forwarded-host': 'culvert.example.com' })).toBe(303)
    expect(await post({ origin: 'https://evil.example', 'x-forwarded-host': 'evil.example' })).toBe(403)
  })

  it('accepts X-Forwarded-Proto from a trusted proxy only', async () => {
    await startConsole({ CULVERT_TRUSTED_PROXIES: '127.0.0.1' })
    const https = { 'x-forwarded-proto': 'https' }
    expect(await readHsts(https, '127.0.0.1')).toBe('max-age=31536000')
    expect(await readHsts(https, '127.0.0.77')).toBeUndefined()
    expect(
      await readHsts({ 'x-forwarded-proto': 'https, http', 'x-forwarded-for': client }, '127.0.0.1'),
    ).toBeUndefined()
  })

  it('rejects a form with a Referer of another site, unless another header shows that it is same-origin', async () => {
    await startConsole()
    expect(await post({ referer: 'https://evil.example/' })).toBe(403)
    expect(await post({ referer: `${server.origin}.evil.example/` })).toBe(403)
    expect(await post({ referer: 'nonsense' })).toBe(403)
    expect(await post({ referer: `${server.origin}/issues` })).toBe(303)
    expect(await post({ origin: 'https://evil.example', referer: `${server.origin}/issues` })).toBe(403)
    expect(await post({})).toBe(303)
  })
})
