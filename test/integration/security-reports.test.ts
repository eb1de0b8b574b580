import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { envelopeOf } from '#test/envelopes.ts'
import { getEventView } from '#test/event-view.ts'
import { postEnvelope } from '#test/post-envelope.ts'
import { fixtureProject, startServer, type TestServer } from '#test/start-server.ts'
import { countedOutcomes, storedEventIds } from '#test/stored-events.ts'
import { testViewer } from '#test/test-store.ts'

const { id, publicKey } = fixtureProject
const path = `/api/${id}/security/?sentry_key=${publicKey}`

let server: TestServer
beforeEach(async () => {
  server = await startServer()
})
afterEach(() => server.stop())

interface Sending {
  path?: string
  contentType?: string
  headers?: Record<string, string>
}

function report(body: unknown, { path: to = path, contentType, headers }: Sending = {}): Promise<Response> {
  return fetch(server.origin + to, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': contentType ?? 'application/csp-report', ...headers },
  })
}

function send(...items: [type: string, payload: unknown][]): Promise<Response> {
  return postEnvelope(server.origin, envelopeOf({ event_id: 'c'.repeat(32) }, ...items))
}

const counted = () => countedOutcomes(server.services.store, id)
const stored = () => storedEventIds(server.services.store, id)

async function onlyView() {
  const [eventId = ''] = await stored()
  return getEventView(server.services, testViewer, eventId)
}

const listIssues = () =>
  server.services.store.db
    .selectFrom('issues')
    .select(['title', 'culprit', 'type', 'event_count'])
    .orderBy('title')
    .execute()

const csp = (blocked: string, page = 'https://shop.test/cart') => ({
  'csp-report': {
    'document-uri': page,
    referrer: 'https://search.test/',
    'violated-directive': "script-src-elem 'self'",
    'effective-directive': 'script-src-elem',
    'original-policy': "script-src 'self'",
    'blocked-uri': blocked,
    'source-file': 'https://shop.test/app.js',
    'line-number': 24,
  },
})

const violation = (blockedURL: string) => ({
  type: 'csp-violation',
  age: 90_000,
  url: 'https://shop.test/basket',
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0',
  body: { documentURL: 'https://shop.test/basket', blockedURL, effectiveDirective: 'script-src-elem' },
})

describe('a security report', () => {
  it('becomes an event with the page, the site and the visitor, and is answered without a body', async () => {
    const query = '&sentry_release=shop%401.2&sentry_environment=staging'
    const response = await report(csp('https://cdn.evil.test/a.js?token=1'), {
      path: path + query,
      headers: { 'user-agent': violation('').user_agent, 'x-forwarded-for': '203.0.113.9' },
    })
    expect([response.status, await response.text()]).toEqual([200, ''])
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(await counted()).toEqual({ 'security accepted': 1 })
    const { event, issue } = await onlyView()
    expect(issue).toMatchObject({
      type: 'csp',
      title: "Blocked 'script' from 'cdn.evil.test'",
      culprit: 'script-src-elem',
    })
    expect(event).toMatchObject({
      type: 'csp',
      logger: 'csp',
      release: 'shop@1.2',
      environment: 'staging',
      user: { ipAddress: '203.0.113.9' },
      request: { url: 'https://shop.test/cart' },
      securityReport: { kind: 'csp', data: { line_number: 24, original_policy: "script-src 'self'" } },
      contexts: { browser: { name: 'Firefox' } },
    })
    expect(Object.fromEntries(event.tags)).toEqual({
      'effective-directive': 'script-src-elem',
      'blocked-host': 'cdn.evil.test',
      'blocked-uri': 'https://cdn.evil.test/a.js',
    })
  })

  it('joins reports of the same directive and host, in both formats', async () => {
    await report(csp('https://cdn.evil.test/a.js'))
    await report(csp('https://cdn.evil.test/b.js', 'https://shop.test/other'))
    await report(violation('https://cdn.evil.test/c.js'), { contentType: 'application/reports+json' })
    await report(csp('https://other.test/a.js'), { path: path.replace('security', 'csp-report') })
    expect(await listIssues()).toMatchObject([
      { title: "Blocked 'script' from 'cdn.evil.test'", event_count: 3 },
      { title: "Blocked 'script' from 'other.test'", event_count: 1 },
    ])
  })

  it('may be in a list with reports of other types', async () => {
    const list = [violation('https://a.test/'), { type: 'deprecation', body: {} }, violation('inline'), 7]
    const response = await report(list, { contentType: 'application/reports+json; charset=utf-8' })
    expect(response.status).toBe(200)
    expect(await counted()).toEqual({ 'security accepted': 2, 'security invalid security_report_type': 2 })
    const [eventId = ''] = await stored()
    const { event } = await getEventView(server.services, testViewer, eventId)
    expect(event.receivedAt - event.occurredAt).toBe(90_000)
  })

  it.each([
    ['hpkp', { hostname: 'shop.test', port: 443, 'known-pins': [] }, 'Public key pinning validation failed'],
    ['expectct', { 'expect-ct-report': { hostname: 'shop.test' } }, 'Expect-CT failed'],
    ['expectstaple', { 'expect-staple-report': { hostname: 'shop.test' } }, 'Expect-Staple failed'],
  ])('may be of the kind %s', async (type, body, title) => {
    expect((await report(body, { contentType: 'application/json' })).status).toBe(200)
    expect(await listIssues()).toEqual([
      { type, title: `${title} for 'shop.test'`, culprit: 'shop.test', event_count: 1 },
    ])
    expect(await counted()).toEqual({ 'security accepted': 1 })
  })

  it('about an extension is filtered', async () => {
    await report(csp('chrome-extension://abcdef/x.js'))
    expect(await counted()).toEqual({ 'security filtered invalid-csp': 1 })
  })

  it.each([
    ['{"csp-report":', 'security invalid invalid_json'],
    ['"text"', 'security invalid security_report_type'],
    ['{}', 'security invalid security_report_type'],
    ['{"csp-report":{"blocked-uri":7}}', 'security invalid security_report'],
    ['[]', 'security invalid no_data'],
  ])('that cannot be parsed is accepted and counted: %s', async (body, outcome) => {
    expect((await report(body)).status).toBe(200)
    expect(await counted()).toEqual({ [outcome]: 1 })
    expect(await stored()).toEqual([])
  })

  it.each([
    ['415 for another type', 415, { contentType: 'text/plain' }],
    ['401 without a key', 401, { path: `/api/${id}/security/` }],
    ['403 with an unknown key', 403, { path: `/api/${id}/security/?sentry_key=${'0'.repeat(32)}` }],
  ])('is rejected with %s', async (_what, status, sending) => {
    const response = await report(csp('https://a.test/'), sending)
    expect(response.status).toBe(status)
    expect(await response.json()).toHaveProperty('detail')
    expect(await counted()).toEqual({})
  })

  it('is rejected when it is empty or too large, and by any method but POST', async () => {
    expect((await report('')).status).toBe(400)
    expect((await report(csp('x'.repeat(1_100_000)))).status).toBe(413)
    expect(await counted()).toEqual({ 'security invalid too_large': 1 })
    const get = await fetch(server.origin + path)
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
  })

  it('survives hostile values', async () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
    const body = `{"csp-report":{"effective-directive":"img-src","blocked-uri":"https://a.test/\\ud800\\u0000",
      "__proto__":{"polluted":1},"sample":${deep},"original-policy":"${'p'.repeat(50_000)}","line-number":NaN}}`
    expect((await report(body)).status).toBe(200)
    expect(await counted()).toEqual({ 'security accepted': 1 })
    const { event } = await onlyView()
    expect(event.securityReport?.data['blocked_uri']).toBe('https://a.test/\ufffd\ufffd')
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })
})

describe('security items of an envelope', () => {
  it("are reports in the browser's format, or events created from them", async () => {
    await send(['raw_security', csp('https://a.test/')])
    await send(['security', { csp: { effective_directive: 'img-src', blocked_uri: 'https://b.test/' } }])
    expect(await counted()).toEqual({ 'security accepted': 1, 'security invalid duplicate': 1 })
    expect(await stored()).toEqual(['c'.repeat(32)])
  })

  it('count as one event of the envelope', async () => {
    await send(['event', { message: 'a' }], ['raw_security', csp('https://a.test/')], ['security', {}])
    expect(await counted()).toEqual({ 'error accepted': 1, 'security invalid duplicate_item': 2 })
  })
})
