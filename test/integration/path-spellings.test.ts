import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { toIdBytes } from '#server/store/binary-id.ts'
import { updateProjectSettings, type ProjectSettings } from '#server/store/projects/settings.ts'
import { buildConsole, listAssets } from '#test/built-console.ts'
import { errorEnvelope, randomEventId } from '#test/envelopes.ts'
import { exchangeRaw } from '#test/raw-exchange.ts'
import { addUser } from '#test/session.ts'
import { fixtureProject } from '#test/start-server.ts'
import { countedOutcomes, storedEventIds } from '#test/stored-events.ts'
import { startConsole } from '#test/test-console.ts'

const { id, publicKey } = fixtureProject
/** The client's address, as the proxy on this machine appends it, and what the client sent itself. */
const address = '203.0.113.7'
const written = '6.6.6.6'

const root = await buildConsole()
const asset = `/assets/${listAssets(root)[0]}`
const server = await startConsole()
await addUser(server.services.store)
afterAll(() => server.stop())
beforeEach(() => change({ allowedOrigins: ['*', 'https://shop.example'] }))

async function change(settings: Partial<ProjectSettings>): Promise<void> {
  await updateProjectSettings(server.services.store, id, () => settings)
  await server.services.projectKeys.refresh()
}

const escaped = (text: string) => text.replaceAll(/./g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)

/** Other spellings of a path. `rejected` is 400, or an unknown path; the others are the same path. */
const spellings: [name: string, spell: (path: string) => string, isRejected?: 'rejected'][] = [
  ['as it is', (path) => path],
  ['a dot segment before', (path) => `/.${path}`],
  ['two dot segments before', (path) => `/././${path.slice(1)}`],
  ['a segment and out of it', (path) => `/x/..${path}`],
  ['two segments and out of them', (path) => `/x/y/../..${path}`],
  ['out of the root', (path) => `/..${path}`],
  ['far out of the root', (path) => `/../../../..${path}`],
  ['an endpoint and out of it', (path) => `/healthz/..${path}`],
  ['another endpoint and out of it', (path) => `/api/0/../..${path}`],
  ['an escaped dot segment', (path) => `/%2e${path}`],
  ['escaped dots', (path) => `/x/%2e%2e${path}`],
  ['escaped dots in capitals', (path) => `/x/%2E%2E${path}`],
  ['one dot escaped', (path) => `/x/.%2e${path}`],
  ['the other dot escaped', (path) => `/x/%2e.${path}`],
  ['a doubled slash', (path) => `/${path}`],
  ['three slashes', (path) => `//${path}`],
  ['doubled slashes within', (path) => path.replaceAll('/', '//')],
  ['dots within', (path) => path.replace(/(?<=.)\//g, '/./')],
  ['back and forth within', (path) => path.replace(/(?<=.)\//, '/x/../')],
  ['slashes and dots', (path) => `/x//../..${path}`],
  ['the first letter escaped', (path) => `/${escaped(path.slice(1, 2))}${path.slice(2)}`],
  ['every letter escaped', (path) => path.replaceAll(/[^/]+/g, escaped)],
  ['escapes in capitals', (path) => path.replaceAll(/[^/]+/g, (part) => escaped(part).toUpperCase())],
  ['a backslash at the start', (path) => `/\\${path.slice(1)}`, 'rejected'],
  ['backslashes', (path) => `/.\\${path.slice(1).replaceAll('/', '\\')}`, 'rejected'],
  ['backslash dots', (path) => `/x\\..${path}`, 'rejected'],
  ['a fragment', (path) => `${path}#x`, 'rejected'],
  ['escaped slashes', (path) => `/.%2f${path.slice(1).replaceAll('/', '%2f')}`, 'rejected'],
  ['escaped backslashes', (path) => `/x%5c..${path}`, 'rejected'],
  ['escapes of escapes', (path) => `/%25${escaped(path.slice(1, 2)).slice(1)}${path.slice(2)}`, 'rejected'],
  ['escapes that make escapes', (path) => `/x/%%32e%%32e${path}`, 'rejected'],
  ['an escaped NUL', (path) => `${path}%00`, 'rejected'],
  ['another segment', (path) => `/x${path}`, 'rejected'],
]

interface Sent {
  path: string
  query?: string
  method?: string
  body?: string
  headers?: Record<string, string>
}

/** Status and location of the answer to a request whose path is sent as it is written. */
async function exchange({
  path,
  query = '',
  method = 'POST',
  body = '',
  headers = {},
}: Sent): Promise<string> {
  const lines = Object.entries({
    host: new URL(server.origin).host,
    connection: 'close',
    'x-forwarded-for': `${written}, ${address}`,
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  const answer = await exchangeRaw(
    server.origin,
    `${method} ${path}${query} HTTP/1.1\r\n${lines.join('')}\r\n${body}`,
  )
  const [, status = ''] = /^HTTP\/1\.1 (\d+)/.exec(answer) ?? []
  const [, location = ''] = /\r\nlocation: ([^\r]*)/i.exec(answer) ?? []
  return location === '' ? status : `${status} ${location}`
}

const dsn = `http://${publicKey}@culvert.example/${id}`
const envelope = (eventId = randomEventId()) => errorEnvelope({ eventId, header: { dsn } })

const endpoints: Record<string, Omit<Sent, 'path'> & { path: string }> = {
  envelope: { path: `/api/${id}/envelope/`, query: `?sentry_key=${publicKey}` },
  store: {
    path: `/api/${id}/store/`,
    query: `?sentry_key=${publicKey}`,
    headers: { 'content-type': 'application/x-sentry-envelope' },
  },
  'the old store': {
    path: '/api/store/',
    query: `?sentry_key=${publicKey}`,
    headers: { 'content-type': 'application/x-sentry-envelope' },
  },
  'the tunnel': { path: '/monitoring', query: `?o=1&p=${id}`, headers: { origin: 'https://shop.example' } },
}

describe.each(Object.entries(endpoints))('%s in every spelling', (_name, endpoint) => {
  it('stores the same event as for the normal path, or nothing', async () => {
    for (const [name, spell, isRejected] of spellings) {
      const eventId = randomEventId()
      const status = await exchange({ ...endpoint, path: spell(endpoint.path), body: envelope(eventId) })
      expect([name, toEnding(status, isRejected)]).toEqual([name, isRejected ?? '200'])
      const row = server.services.store.connection
        .prepare('SELECT client_address AS address FROM events WHERE event_id = ?')
        .get(toIdBytes(eventId))
      expect([name, row?.['address']]).toEqual([name, isRejected ? undefined : address])
    }
  })

  it('has one rate limit per address', async () => {
    const { rateLimits } = await readSettings()
    const limited = { ...rateLimits, address: { all: { quantity: 5, windowSeconds: 3_600 } } }
    await change({ rateLimits: limited })
    const statuses: string[] = []
    const own = `203.0.113.${100 + Object.values(endpoints).indexOf(endpoint)}`
    for (const [at, [, spell]] of spellings.entries()) {
      const headers = { ...endpoint.headers, 'x-forwarded-for': `6.6.6.${at}, ${own}` }
      statuses.push(await exchange({ ...endpoint, path: spell(endpoint.path), body: envelope(), headers }))
    }
    await change({ rateLimits })
    expect(statuses.filter((status) => status === '200')).toHaveLength(5)
    expect(statuses.filter((status) => status === '429').length).toBeGreaterThan(15)
  })

  it('is filtered for a blocked address', async () => {
    const { filters } = await readSettings()
    await change({ filters: { ...filters, clientAddresses: [address] } })
    const before = await storedEventIds(server.services.store, id)
    for (const [, spell] of spellings)
      await exchange({ ...endpoint, path: spell(endpoint.path), body: envelope() })
    await change({ filters })
    expect(await storedEventIds(server.services.store, id)).toEqual(before)
    expect((await countedOutcomes(server.services.store, id))['error filtered ip-address']).toBeGreaterThan(
      15,
    )
  })
})

async function readSettings(): Promise<ProjectSettings> {
  const key = await server.services.projectKeys.findOfProject(id)
  if (key === undefined) throw new Error('no key')
  return key.settings
}

/** `rejected` for the answer to an unknown path, if the spelling makes it one; else the answer. */
function toEnding(status: string, isRejected: 'rejected' | undefined): string {
  return isRejected && /^(?:400|404|405|303 \/login.*)$/.test(status) ? isRejected : status
}

describe('a route outside of ingest in every spelling', () => {
  it.each([
    ['a page', { method: 'GET', path: '/issues' }, '303 /login?to=%2Fissues'],
    ['a page that is open', { method: 'GET', path: '/login' }, '200'],
    ['a page of a thing', { method: 'GET', path: '/issues/17' }, '303 /login?to=%2Fissues%2F17'],
    ['a file of an event', { method: 'GET', path: `/events/${'a'.repeat(32)}/json` }, '401'],
    ['the API', { method: 'GET', path: '/api/0' }, '401'],
    ['a built file', { method: 'GET', path: '/asset' }, '200'],
    ['the health check', { method: 'GET', path: '/healthz' }, '200'],
    ['the readiness check', { method: 'GET', path: '/readyz' }, '200'],
    ['the metrics', { method: 'GET', path: '/metrics' }, '404'],
    ['a form', { method: 'POST', path: '/sign-out' }, '303 /login'],
    ['signing out', { method: 'GET', path: '/sign-out' }, '405'],
    ['an endpoint that is not supported', { method: 'POST', path: `/api/${id}/minidump/` }, '404'],
  ])('%s', async (_what, { method, path: route }, expected) => {
    const path = route === '/asset' ? asset : route
    for (const [name, spell, isRejected] of spellings) {
      const status = await exchange({ method, path: spell(path) })
      expect([name, toEnding(status, isRejected)]).toEqual([name, isRejected ?? expected])
    }
  })
})
