import { readdirSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createProject } from '#server/store/projects/projects.ts'
import { openStore } from '#server/store/store.ts'
import { onPostgres } from '#test/engine.ts'
import { envelopeOf, errorEnvelope, randomEventId } from '#test/envelopes.ts'
import { anyEventId, anyString } from '#test/matchers.ts'
import { fixtureProject, otherProject, startServer, type TestServer } from '#test/start-server.ts'
import { countedOutcomes, storedEventIds } from '#test/stored-events.ts'

const { id, publicKey } = fixtureProject

let server: TestServer
beforeEach(async () => {
  server = await startServer()
})
afterEach(() => server.stop())

function post(
  path: string,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${server.origin}${path}`, { method: 'POST', body: Buffer.from(body), headers })
}

function send(body: string | Uint8Array, headers: Record<string, string> = {}): Promise<Response> {
  return post(`/api/${id}/envelope/?sentry_key=${publicKey}&sentry_version=7`, body, headers)
}

const stored = () => storedEventIds(server.services.store, id)
const counted = () => countedOutcomes(server.services.store, id)

describe('an accepted event', () => {
  it('is in the store when its client reads 200 and its id', async () => {
    const eventId = randomEventId()
    const response = await send(errorEnvelope({ eventId }))
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ id: eventId })
    expect(await stored()).toEqual([eventId])
    expect(await counted()).toEqual({ 'error accepted': 1 })
  })

  it('is answered without a body to an SDK in a page, which reads none, and rejections with one', async () => {
    const path = `/api/${id}/envelope/?sentry_key=${publicKey}&sentry_client=sentry.javascript.react%2F11.12.0`
    const eventId = randomEventId()
    const page = { origin: 'https://shop.example' }
    const response = await post(path, errorEnvelope({ eventId }), page)
    expect([response.status, await response.text()]).toEqual([200, ''])
    expect(response.headers.get('cache-control')).toBeNull()
    expect(await stored()).toEqual([eventId])
    const rejected = await post(path, 'nonsense', page)
    expect([rejected.status, await rejected.json()]).toMatchObject([400, { detail: anyString }])
  })

  it('is stored once even if it is sent again, with and without dashes', async () => {
    const eventId = randomEventId()
    const dashed = eventId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5').toUpperCase()
    for (const spelling of [eventId, dashed, eventId]) {
      const response = await send(errorEnvelope({ eventId: spelling }))
      expect(await response.json()).toEqual({ id: eventId })
    }
    expect(await stored()).toEqual([eventId])
    expect(await counted()).toEqual({ 'error accepted': 1, 'error invalid duplicate': 2 })
  })

  it('gets an id when it has none, and never the nil id', async () => {
    const nil = '0'.repeat(32)
    for (const body of [
      envelopeOf({}, ['event', { message: 'a' }]),
      envelopeOf({ event_id: nil }, ['event', { event_id: nil }]),
    ]) {
      const answer: unknown = await (await send(body)).json()
      expect(answer).toEqual({ id: anyEventId })
      expect(answer).not.toEqual({ id: nil })
    }
    expect(await stored()).toHaveLength(2)
  })

  it('stores the id of the envelope when its payload has another', async () => {
    const eventId = randomEventId()
    await send(envelopeOf({ event_id: eventId }, ['event', { event_id: randomEventId(), message: 'a' }]))
    expect(await stored()).toEqual([eventId])
  })

  it('is grouped with similar events', async () => {
    for (const type of ['TypeError', 'RangeError', 'TypeError']) await send(errorEnvelope({ type }))
    const issues = await server.services.store.db
      .selectFrom('issues')
      .select(['title', 'event_count'])
      .orderBy('title')
      .execute()
    expect(issues).toEqual([
      { title: 'RangeError', event_count: 1 },
      { title: 'TypeError', event_count: 2 },
    ])
  })
})

describe('items without an event', () => {
  it('are accepted and counted under their category', async () => {
    const types = ['session', 'log', 'transaction', 'check_in', 'replay_event', 'attachment', 'quantum_flux']
    const response = await send(envelopeOf({}, ...types.map((type): [string, unknown] => [type, {}])))
    expect(response.status).toBe(200)
    expect(await counted()).toEqual({
      'session invalid invalid_json': 1,
      'log_item invalid feature_disabled': 1,
      'transaction invalid invalid_transaction': 1,
      'monitor invalid monitor_slug': 1,
      'replay invalid feature_disabled': 1,
      'attachment invalid feature_disabled': 1,
      'unknown invalid unknown_item': 1,
    })
  })

  it('are counted by the number in their header, as far as their size allows', async () => {
    const logs = JSON.stringify({ items: [{}, {}, {}] })
    await send(`{}\n{"type":"log","item_count":3}\n${logs}`)
    await send(`{}\n{"type":"span","item_count":1000000}\n${logs}`)
    expect(await counted()).toEqual({
      'log_item invalid feature_disabled': 3,
      'span invalid invalid_span': 3,
    })
  })

  it('may be missing: an empty envelope is answered with an empty object', async () => {
    for (const body of ['{}', '{}\n']) expect(await (await send(body)).json()).toEqual({})
    expect(await counted()).toEqual({})
  })

  it('of a client report count its discarded events, under known reasons only', async () => {
    const discarded_events = [
      { reason: 'before_send', category: 'error', quantity: 7 },
      { reason: 'made up by a stranger', category: 'error', quantity: 1 },
      { reason: 'sample_rate', category: 'transaction', quantity: 1e300 },
    ]
    await send(envelopeOf({}, ['client_report', { discarded_events }]))
    expect(await counted()).toEqual({
      'error client_discard before_send': 7,
      'error client_discard other': 1,
      'transaction client_discard sample_rate': 1_000_000,
    })
  })

  it('include an event payload that is a transaction', async () => {
    const times = { start_timestamp: 1, timestamp: 2 }
    const trace = { trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16) }
    const transaction = { type: 'transaction', transaction: '/', ...times }
    await send(envelopeOf({}, ['event', transaction]))
    await send(envelopeOf({}, ['event', { ...transaction, contexts: { trace } }]))
    expect(await counted()).toEqual({
      'transaction accepted': 1,
      'transaction invalid invalid_transaction': 1,
    })
  })

  it.each(['{"message":', '[1]', '"text"', 'null', ''])('include an event that is %j', async (payload) => {
    const response = await send(envelopeOf({ event_id: randomEventId() }, ['event', payload]))
    expect(response.status).toBe(200)
    expect(await counted()).toEqual({ 'error invalid invalid_json': 1 })
  })

  it('include every event of an envelope after its first', async () => {
    await send(
      envelopeOf({}, ['event', { message: 'a' }], ['event', { message: 'b' }], ['event', { message: 'c' }]),
    )
    expect(await counted()).toEqual({ 'error accepted': 1, 'error invalid duplicate_item': 2 })
  })
})

describe('an event over the size limit', () => {
  it('is rejected with 413 and counted', async () => {
    const response = await send(envelopeOf({}, ['event', { message: 'x'.repeat(1_048_576) }]))
    expect(response.status).toBe(413)
    expect(await counted()).toEqual({ 'error invalid too_large': 1 })
  })
})

describe('broken framing', () => {
  it.each([
    ['no JSON', 'nothing of the sort'],
    ['an array as header', '[]'],
    ['a payload shorter than its length', '{}\n{"type":"event","length":100}\n{}'],
    ['an item without a type', '{}\n{"length":2}\n{}'],
    ['an empty body', ''],
  ])('is 400 and stores nothing: %s', async (_what, body) => {
    const response = await send(body)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      detail: 'invalid event envelope',
      causes: [anyString],
    })
    expect(await stored()).toEqual([])
  })
})

describe('the store endpoint', () => {
  const json = JSON.stringify({ message: 'old SDK' })

  it.each([
    ['JSON', json],
    ['JSON with a byte order mark', `\ufeff${json}`],
    ['base64 of JSON', Buffer.from(json).toString('base64')],
  ])('accepts %s', async (_what, body) => {
    const response = await post(`/api/${id}/store/?sentry_key=${publicKey}`, body)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ id: anyEventId })
    expect(await stored()).toHaveLength(1)
  })

  it('accepts an envelope by its content type, and finds the project by the key alone', async () => {
    const eventId = randomEventId()
    const headers = { 'content-type': 'application/x-sentry-envelope' }
    const response = await post(`/api/store/?sentry_key=${publicKey}`, errorEnvelope({ eventId }), headers)
    expect(await response.json()).toEqual({ id: eventId })
    expect(await stored()).toEqual([eventId])
  })

  it.each(['', '{"message":', 'no base64 of anything', '[]'])('answers %j with 400', async (body) => {
    expect((await post(`/api/${id}/store/?sentry_key=${publicKey}`, body)).status).toBe(400)
    expect(await stored()).toEqual([])
  })
})

describe('a project created by another process', () => {
  it('is known at once, on PostgreSQL within a second', async () => {
    const key = 'ab'.repeat(16)
    const path = `/api/77/envelope/?sentry_key=${key}`
    expect((await post(path, errorEnvelope())).status).toBe(403)
    const elsewhere = await openStore({ path: server.services.store.path, clock: Date.now })
    await createProject(elsewhere, { name: 'late', id: 77, publicKey: key })
    await elsewhere.close()
    const until = performance.now() + (onPostgres ? 20_000 : 0)
    let { status } = await post(path, errorEnvelope())
    while (status !== 200 && performance.now() < until) ({ status } = await post(path, errorEnvelope()))
    expect(status).toBe(200)
  })
})

describe('a store that cannot be written', () => {
  it('makes clients wait with 429 and both headers, readable for browsers', async () => {
    await server.services.store.close()
    const response = await send(errorEnvelope())
    expect(response.status).toBe(429)
    expect(response.headers.get('retry-after')).toMatch(/^[0-9]+$/)
    expect(response.headers.get('x-sentry-rate-limits')).toMatch(/^[0-9]+::organization:/)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
  })
})

describe('envelopes captured from SDKs', () => {
  const folder = new URL('../fixtures/envelopes/', import.meta.url)
  const files = readdirSync(folder).filter((file) => /\.body(\.gz)?$/.test(file))

  it.each(files)('accepts %s', async (file) => {
    const bytes = readFileSync(new URL(file, folder))
    const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1')
    // Those captured through a tunnel have the DSN of another project.
    const hasDsn = text.slice(0, text.indexOf('\n')).includes('"dsn"')
    const { projectKeys, store } = server.services
    await store.writer
      .insertInto('project_keys')
      .values({
        project_id: 1,
        public_key: 'aaaabbbbccccddddeeeeffff00001111',
        label: 'captured',
        is_active: 1,
        created_at: 0,
      })
      .execute()
    await projectKeys.refresh()
    const query = hasDsn ? '' : '?sentry_key=aaaabbbbccccddddeeeeffff00001111'
    const headers: Record<string, string> = file.endsWith('.gz') ? { 'content-encoding': 'gzip' } : {}
    const response = await post(`/api/1/envelope/${query}`, bytes, headers)
    expect([response.status, await response.text()]).toEqual([200, anyString])
    const outcomes = await countedOutcomes(store, 1)
    const ends = Object.entries(outcomes).filter(([name]) => /^error (accepted|filtered)/.test(name))
    const isEvent = text.replaceAll(' ', '').includes('"type":"event"')
    expect(ends.map(([, quantity]) => quantity)).toEqual(isEvent ? [1] : [])
    expect(await storedEventIds(store, otherProject.id)).toEqual([])
  })
})
