import { afterAll, describe, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { createProject } from '#server/store/projects/projects.ts'
import { updateProjectSettings } from '#server/store/projects/settings.ts'
import { errorEnvelope } from '#test/envelopes.ts'
import { anyString } from '#test/matchers.ts'
import { fixtureProject, otherProject, startServer } from '#test/start-server.ts'
import { storedEventIds } from '#test/stored-events.ts'
import { appConfig } from '../../app.config.ts'

const { id, publicKey } = fixtureProject

const server = await startServer()
afterAll(() => server.stop())

interface Attempt {
  query?: string
  origin?: string | undefined
  dsn?: unknown
  method?: string
  headers?: Record<string, string>
}

const disabled = await createProject(server.services.store, { name: 'disabled' })
await updateProjectSettings(server.services.store, disabled.id, () => ({ intake: { isOn: false } }))
await server.services.projectKeys.refresh()

const dashedKey = publicKey.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
const ownDsn = `http://${publicKey}@culvert.example/${id}`

function attempt(how: Attempt): Promise<Response> {
  const { query = `?o=1&p=${id}`, dsn = ownDsn, method = 'POST', headers = {} } = how
  const origin = 'origin' in how ? how.origin : server.origin
  return fetch(`${server.origin}${appConfig.tunnelPath}${query}`, {
    method,
    headers: { ...headers, ...(origin !== undefined && { origin }) },
    ...(method !== 'GET' && { body: errorEnvelope({ header: { dsn } }) }),
  })
}

const stored = async () => (await storedEventIds(server.services.store, id)).length

describe('the tunnel', () => {
  it.each<[string, Attempt]>([
    ['its own page', {}],
    ['a client that is not a page', { origin: undefined }],
    ['an SDK that names no o and p', { query: '' }],
    ['an SDK whose DSN has the dashes of a UUID', { dsn: ownDsn.replace(publicKey, dashedKey) }],
    ['a page with parameters of its own', { query: `?o=1&p=${id}&__proto__[x]=1&page=2&oo=1` }],
  ])('stores envelopes from %s', async (_who, how) => {
    const before = await stored()
    const response = await attempt(how)
    expect(response.status).toBe(200)
    expect(await stored()).toBe(before + 1)
  })

  // In Chromium, a body or this header keeps a request open while the page reads no body, as SDKs do not.
  it('answers 200 without a body and without Cache-Control', async () => {
    const response = await attempt({})
    expect(await response.text()).toBe('')
    expect(Object.fromEntries(response.headers)).toEqual({
      'content-length': '0',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      connection: 'keep-alive',
      'keep-alive': anyString,
      date: anyString,
    })
  })

  it('allows no other origin, not even for its errors', async () => {
    for (const how of [{}, { origin: 'https://evil.example' }, { query: '?o=x&p=y' }]) {
      const response = await attempt(how)
      expect(response.headers.get('access-control-allow-origin')).toBeNull()
    }
  })

  it('makes the 429 of an overloaded server readable for every page, so that its SDK waits', async () => {
    const hold = server.services.bodyGate.hold()
    hold.resize(limits.ingestBufferedBytes)
    const response = await attempt({ origin: 'https://evil.example' })
    hold.release()
    expect(response.status).toBe(429)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('access-control-expose-headers')).toBe('x-sentry-rate-limits, retry-after')
    expect(response.headers.get('x-sentry-rate-limits')).toMatch(/^\d+::organization:unavailable$/)
  })

  it.each<[string, number, Attempt]>([
    ['from another origin', 403, { origin: 'https://evil.example' }],
    ['from a sandboxed frame', 403, { origin: 'null' }],
    [
      'from another site that hides its origin',
      403,
      { origin: undefined, headers: { 'sec-fetch-site': 'cross-site' } },
    ],
    ['without p', 400, { query: '?o=1' }],
    ['with o twice', 400, { query: `?o=1&o=1&p=${id}` }],
    ['with array syntax', 400, { query: `?o[]=1&p[]=${id}` }],
    ['with array syntax beside the address', 400, { query: `?o=1&p=${id}&p[]=2` }],
    ['with a second question mark', 400, { query: `??o=1&p=${id}` }],
    ['with names in capitals', 400, { query: `?O=1&P=${id}` }],
    ['with a blank before a name', 400, { query: `?%20o=1&+p=${id}` }],
    ['with 21 digits', 400, { query: `?o=1&p=${'1'.repeat(21)}` }],
    ['with digits of another script', 400, { query: `?o=1&p=${encodeURIComponent('４２')}` }],
    ['with a line break', 400, { query: `?o=1%0a&p=${id}` }],
    ['with a host as region', 400, { query: `?o=1&p=${id}&r=evil.example%2F` }],
    ['for a region', 403, { query: `?o=1&p=${id}&r=us` }],
    ['for another organization', 403, { query: `?o=2&p=${id}` }],
    ['for an unknown project', 403, { query: '?o=1&p=999' }],
    [
      'with the DSN of another project',
      403,
      { dsn: `http://${otherProject.publicKey}@a/${otherProject.id}` },
    ],
    ['with the key of another project', 403, { dsn: `http://${otherProject.publicKey}@a/${id}` }],
    ['without a DSN', 403, { dsn: null }],
    ['with an object as DSN', 403, { dsn: { toString: 1 } }],
    ['by GET', 405, { method: 'GET' }],
    ['by PUT', 405, { method: 'PUT' }],
    ['by OPTIONS', 405, { method: 'OPTIONS' }],
  ])('rejects %s: %i', async (_what, status, how) => {
    const before = await stored()

    const response = await attempt(how)
    expect(response.status).toBe(status)
    expect(await response.json()).toEqual({ detail: anyString })
    expect(response.headers.get('allow')).toBe(status === 405 ? 'POST' : null)
    expect(await stored()).toBe(before)
  })

  /** Every kind of rejection: an unknown address, an invalid or missing DSN, a page of another origin. */
  const strangers: Attempt[] = [
    { query: '?o=1&p=999' },
    { query: `?o=2&p=${id}` },
    { query: `?o=1&p=${id}&r=us` },
    { query: `?o=1&p=0${id}` },
    { query: '', dsn: `http://${'0'.repeat(32)}@a/${id}` },
    { dsn: null },
    { dsn: `http://${'0'.repeat(32)}@a/${id}` },
    { dsn: `http://${otherProject.publicKey}@a/${id}` },
    { query: '', dsn: `http://${disabled.publicKey}@a/${disabled.id}` },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: undefined, headers: { 'sec-fetch-site': 'cross-site' } },
  ]

  it('rejects every unknown sender with the same bytes', async () => {
    const bodies = new Set<string>()
    for (const how of strangers) {
      const response = await attempt(how)
      const headers = [...response.headers].filter(([name]) => name !== 'date')
      bodies.add(JSON.stringify([response.status, headers, await response.text()]))
    }
    expect(bodies.size).toBe(1)
  })

  it('rejects every unknown sender in the same time', async () => {
    const roundCount = 60
    const timesMs = strangers.map((): number[] => [])
    // In turn, so that other load of the machine affects all of them.
    const measure = async () => {
      for (let round = 0; round < roundCount; round += 1) {
        for (const [kind, how] of strangers.entries()) {
          const startedAt = performance.now()
          await (await attempt(how)).arrayBuffer()
          timesMs[kind]?.push(performance.now() - startedAt)
        }
      }
      // The slowest of the fastest tenth: a wait, or a read of the store, in only one case would move it; a
      // busy machine moves the rest.
      const usual = timesMs.map(
        (times) => times.toSorted((one, other) => one - other)[times.length / 10] ?? 0,
      )
      return { slowest: Math.max(...usual), most: Math.min(...usual) * 1.5 + 0.5 }
    }
    let { slowest, most } = await measure()
    // Other load makes a request slower, never faster: more rounds have less of it.
    for (let more = 0; more < 4 && slowest >= most; more += 1) ({ slowest, most } = await measure())
    expect(slowest).toBeLessThan(most)
  })

  it('accepts pages of an origin that the project lists, but not if all origins are allowed', async () => {
    const shop = 'https://shop.example'
    expect((await attempt({ origin: shop })).status).toBe(403)
    await listOrigins(['*', '*.shop.example'])
    const answer = await attempt({ origin: shop })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('access-control-allow-origin')).toBe(shop)
    expect(answer.headers.get('access-control-expose-headers')).toContain('x-sentry-rate-limits')
    expect(answer.headers.get('vary')).toBe('origin')
    const own = await attempt({})
    expect([own.status, own.headers.get('access-control-allow-origin')]).toEqual([200, null])
    const foreign = await attempt({ origin: 'https://shop.example.evil.example' })
    expect([foreign.status, foreign.headers.get('access-control-allow-origin')]).toEqual([403, null])
    await listOrigins(['*'])
  })

  it('answers at its configured address only', async () => {
    const moved = await startServer({ variables: { CULVERT_TUNNEL_PATH: '/t/crumbs' } })
    const body = errorEnvelope({ header: { dsn: ownDsn } })
    const post = (path: string) => fetch(`${moved.origin}${path}?o=1&p=${id}`, { method: 'POST', body })
    expect((await post('/t/crumbs')).status).toBe(200)
    expect((await post('/monitoring')).status).toBe(404)
    await moved.stop()
  })
})

async function listOrigins(allowedOrigins: string[]): Promise<void> {
  await updateProjectSettings(server.services.store, id, () => ({ allowedOrigins }))
  await server.services.projectKeys.refresh()
}
