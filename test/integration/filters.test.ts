import { readdirSync, readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isJsonObject } from '#protocol/json.ts'
import { limits } from '#server/limits.ts'
import { envelopeOf, randomEventId } from '#test/envelopes.ts'
import { postEnvelope } from '#test/post-envelope.ts'
import { fixtureProject, startServer, type TestServer } from '#test/start-server.ts'
import { countedOutcomes, storedEventIds } from '#test/stored-events.ts'

const { id } = fixtureProject

let server: TestServer
beforeEach(async () => {
  server = await startServer()
})
afterEach(() => server.stop())

function send(body: string | Uint8Array, headers: Record<string, string> = {}): Promise<Response> {
  return postEnvelope(server.origin, body, { headers })
}

const counted = () => countedOutcomes(server.services.store, id)

/** The number of issues, and the samples of filtered items, oldest first. */
async function readStore() {
  const { db } = server.services.store
  const issues = await db.selectFrom('issues').selectAll().execute()
  const samples = await db.selectFrom('filter_samples').selectAll().orderBy('received_at').execute()
  expect(await storedEventIds(server.services.store, id)).toHaveLength(issues.length)
  return { issueCount: issues.length, samples }
}

/** A payload as an item, like its SDK sends it. */
function toItem(payload: unknown): [type: string, payload: unknown] {
  if (isJsonObject(payload) && payload['is_segment'] === true)
    return ['span', { version: 2, items: [payload] }]
  return [isJsonObject(payload) && payload['type'] === 'transaction' ? 'transaction' : 'event', payload]
}

const noiseFolder = new URL('../fixtures/noise/', import.meta.url)
const readNoise = (name: string): unknown => JSON.parse(readFileSync(new URL(name, noiseFolder), 'utf8'))

/** The errors that Next.js throws for control flow, as `@sentry/nextjs` reports them. */
function nextError(value: string): Record<string, unknown> {
  return {
    platform: 'node',
    environment: 'vercel-production',
    release: '7f3c1d9',
    transaction: 'POST /checkout',
    contexts: { nextjs: { request_path: '/checkout', router_kind: 'App Router', route_type: 'action' } },
    exception: {
      values: [
        {
          type: 'Error',
          value,
          stacktrace: {
            frames: [
              {
                filename: '/var/task/.next/server/app/checkout/page.js',
                function: 'redirect',
                in_app: true,
              },
            ],
          },
          mechanism: {
            type: 'auto.function.nextjs.on_request_error',
            handled: false,
            data: { digest: value },
          },
        },
      ],
    },
  }
}

const redirectItem = () => toItem(nextError('NEXT_REDIRECT'))

const redirectTo = (path: string) => envelopeOf({}, toItem(nextError(`NEXT_REDIRECT;push;${path};307;`)))

/** A span (version 2) under the root span with this id. */
const childSpan = (rootSpanId: unknown) => ({
  is_segment: false,
  span_id: randomEventId().slice(16),
  attributes: { 'sentry.segment.id': { value: rootSpanId, type: 'string' } },
})

/** A page view as `@sentry/nextjs` up to version 10 reports it. */
function nextPage(transaction: string): Record<string, unknown> {
  return {
    type: 'transaction',
    platform: 'javascript',
    transaction,
    transaction_info: { source: 'route' },
    start_timestamp: 1_795_231_114,
    timestamp: 1_795_231_115,
    contexts: {
      trace: {
        op: 'pageload',
        origin: 'auto.pageload.nextjs.app_router_instrumentation',
        trace_id: 'a'.repeat(32),
        span_id: 'b'.repeat(16),
      },
    },
    spans: [],
  }
}

describe('control flow and missing pages of Next.js', () => {
  it('are filtered, each under its reason', async () => {
    for (const value of [
      'NEXT_REDIRECT',
      'NEXT_REDIRECT;replace;/login;307;',
      'NEXT_NOT_FOUND',
      'NEXT_HTTP_ERROR_FALLBACK;404',
      'Suspense Exception: This is not a real error! It is an implementation detail of `use`',
      'Script error.',
    ])
      await send(envelopeOf({}, toItem(nextError(value))))
    for (const name of ['/404', 'GET /404', 'GET /_not-found', 'incomplete-app-router-transaction'])
      await send(envelopeOf({}, toItem(nextPage(name))))
    const late = { trace: { op: 'navigation', status: 'deadline_exceeded' } }
    await send(envelopeOf({}, toItem({ ...nextPage('/cart'), contexts: late })))
    expect(await counted()).toEqual({
      'error filtered redirect-error': 5,
      'error filtered ignored-error': 1,
      'transaction filtered not-found-transaction': 3,
      'transaction filtered incomplete-transaction': 2,
    })
    expect((await readStore()).issueCount).toBe(0)
  })

  it('are filtered also for a transaction in an event item', async () => {
    await send(envelopeOf({}, ['event', nextPage('/404')]))
    expect(await counted()).toEqual({ 'transaction filtered not-found-transaction': 1 })
  })

  it('are distinguished from other errors and other pages', async () => {
    await send(envelopeOf({}, toItem(nextError('Payment of NEXT_REDIRECT_FEE failed'))))
    await send(envelopeOf({}, toItem(nextPage('/products/[slug]'))))
    expect(await counted()).toEqual({
      'error accepted': 1,
      'transaction accepted': 1,
    })
  })
})

describe('noise captured from SDKs', () => {
  it.each([
    ['tanstackstart-10-redirect.json', 'error', 'redirect-error'],
    ['tanstackstart-11-redirect.json', 'error', 'redirect-error'],
    ['tanstackstart-10-response.json', 'error', 'redirect-error'],
    ['tanstackstart-10-not-found.json', 'error', 'redirect-error'],
    ['tanstackstart-10-route-not-found.json', 'error', 'redirect-error'],
    ['tanstackstart-10-unmatched-page.json', 'transaction', 'incomplete-transaction'],
    ['tanstackstart-11-unmatched-page-span.json', 'span', 'incomplete-transaction'],
  ])('creates no issue: %s', async (name, category, reason) => {
    const response = await send(envelopeOf({}, toItem(readNoise(name))))
    expect(response.status).toBe(200)
    expect(await counted()).toEqual({ [`${category} filtered ${reason}`]: 1 })
    const { issueCount, samples } = await readStore()
    expect(issueCount).toBe(0)
    expect(samples).toMatchObject([{ project_id: id, reason, category }])
  })

  it.each(readdirSync(noiseFolder).filter((name) => name.startsWith('kept-')))(
    'is not found in %s',
    async (name) => {
      await send(envelopeOf({}, toItem(readNoise(name))))
      expect(Object.keys(await counted()).filter((counter) => counter.includes('filtered'))).toEqual([])
      expect((await readStore()).samples).toEqual([])
    },
  )

  it('is found in the envelope of a redirecting server function, complete as it was sent', async () => {
    const name = 'tanstackstart-10.75.2.noise-serverfn-redirect.event.body'
    await send(readFileSync(new URL(`../fixtures/envelopes/${name}`, import.meta.url)))
    // The captured header has no DSN: the key of the request decides.
    expect(await counted()).toEqual({ 'error filtered redirect-error': 1 })
    expect((await readStore()).issueCount).toBe(0)
  })
})

describe('a filtered event', () => {
  it('drops its attachments, before and after it, but no other item', async () => {
    await send(envelopeOf({}, ['attachment', 'a'], redirectItem(), ['attachment', 'b'], ['session', {}]))
    expect(await counted()).toEqual({
      'error filtered redirect-error': 1,
      'attachment filtered redirect-error': 2,
      'session invalid invalid_json': 1,
    })
  })

  it('counts as the event of its envelope: a second one is rejected', async () => {
    await send(envelopeOf({}, redirectItem(), ['event', { message: 'second' }]))
    expect(await counted()).toEqual({ 'error filtered redirect-error': 1, 'error invalid duplicate_item': 1 })
  })

  it('drops its spans in the same item if it is a root span', async () => {
    const root = readNoise('tanstackstart-11-unmatched-page-span.json')
    if (!isJsonObject(root)) throw new Error('the fixture is not a span')
    const items = [childSpan(root['span_id']), root, childSpan(root['span_id']), childSpan('other'), {}, null]
    await send(`{}\n{"type":"span","item_count":6}\n${JSON.stringify({ version: 2, items })}`)
    expect(await counted()).toEqual({
      'span filtered incomplete-transaction': 3,
      'span invalid invalid_span': 3,
    })
  })
})

describe('the inbound filters', () => {
  const crawler = { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' }

  it('use the user agent of the request if a browser sent the event', async () => {
    await send(envelopeOf({}, ['event', { platform: 'javascript', message: 'a' }]), crawler)
    await send(envelopeOf({}, ['event', { platform: 'python', message: 'a' }]), crawler)
    expect(await counted()).toEqual({ 'error filtered web-crawlers': 1, 'error accepted': 1 })
  })
})

describe('samples of filtered items', () => {
  it('are the newest of a day, with their titles', async () => {
    const count = limits.filterSamplesPerDay + 3
    for (let index = 0; index < count; index += 1) {
      const sentAt = Date.now()
      await send(redirectTo(`/${index}`))
      await expect.poll(() => Date.now(), { interval: 1 }).toBeGreaterThan(sentAt + 1)
    }
    const { samples } = await readStore()
    expect(samples.map(({ title }) => title)).toEqual(
      Array.from(
        { length: limits.filterSamplesPerDay },
        (_, index) => `Error: NEXT_REDIRECT;push;/${index + 3};307;`,
      ),
    )
    expect(samples[0]).toMatchObject({ environment: 'vercel-production', release: '7f3c1d9' })
    expect(JSON.parse(Buffer.from(samples[0]?.payload ?? []).toString())).toEqual(
      nextError('NEXT_REDIRECT;push;/3;307;'),
    )
  })

  it('have only the title of a large item', async () => {
    const large = { ...nextError('NEXT_REDIRECT'), extra: { text: 'x'.repeat(limits.filterSampleBytes) } }
    await send(envelopeOf({}, toItem(large)))
    const { samples } = await readStore()
    expect(samples).toMatchObject([{ title: 'Error: NEXT_REDIRECT', payload: null }])
    expect(samples[0]?.payload_bytes).toBeGreaterThan(limits.filterSampleBytes)
  })

  it('survive a flood of filtered items', async () => {
    await Promise.all(Array.from({ length: 60 }, (_, index) => send(redirectTo(`/${index}`))))
    expect(await counted()).toEqual({ 'error filtered redirect-error': 60 })
    expect((await readStore()).samples).toHaveLength(limits.filterSamplesPerDay)
  })
})

describe('hostile payloads', () => {
  it.each([
    ['transaction', '{"transaction":'],
    ['transaction', '[]'],
    ['transaction', { transaction: { a: 1 }, contexts: [], tags: 'x', request: [1], user: null }],
    ['span', '{"items":'],
    ['span', { items: {} }],
    ['span', { items: [null, 1, [], { is_segment: true, attributes: [] }] }],
    ['span', { items: [{ is_segment: true, name: 7, span_id: {}, attributes: { 'sentry.op': null } }] }],
    ['transaction', `${'['.repeat(5_000)}${']'.repeat(5_000)}`],
  ])('of a %s are accepted and counted: %j', async (type, payload) => {
    const response = await send(envelopeOf({}, [type, payload]))
    expect(response.status).toBe(200)
    for (const counter of Object.keys(await counted()))
      expect(counter).toMatch(new RegExp(`^${type} invalid invalid_`))
  })

  it('of a deeply nested root span are filtered like any other', async () => {
    const deep = `${'{"a":'.repeat(4_000)}1${'}'.repeat(4_000)}`
    const span = `{"is_segment":true,"name":"/404","span_id":"a","attributes":{},"deep":${deep}}`
    await send(envelopeOf({}, ['span', `{"items":[${span}]}`]))
    expect(await counted()).toEqual({ 'span filtered not-found-transaction': 1 })
    expect((await readStore()).samples).toMatchObject([{ title: '/404' }])
  })
})
