import { deflateSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { getEventView } from '#test/event-view.ts'
import { anyEventId } from '#test/matchers.ts'
import { postEnvelope } from '#test/post-envelope.ts'
import { fixtureProject, startServer, type TestServer } from '#test/start-server.ts'
import { countedOutcomes, storedEventIds } from '#test/stored-events.ts'
import { testViewer } from '#test/test-store.ts'
import { dayMs } from '#time/time-steps.ts'

const { id, publicKey } = fixtureProject
const path = `/api/${id}/store/?sentry_version=7&sentry_key=${publicKey}`

let server: TestServer
beforeEach(async () => {
  server = await startServer()
})
afterEach(() => server.stop())

const formType = { 'content-type': 'application/x-www-form-urlencoded' }

function post(body: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(server.origin + path, { method: 'POST', body, headers })
}

const get = (query: string) => fetch(`${server.origin}${path}${query}`)
const counted = () => countedOutcomes(server.services.store, id)

async function onlyEvent() {
  const [eventId = ''] = await storedEventIds(server.services.store, id)
  const { event } = await getEventView(server.services, testViewer, eventId)
  return event
}

// Contains every sextet of base64, including plus.
const json = JSON.stringify({ message: 'old SDK ~~~>>>???ûûû', extra: { a: '\u{fbef}\u{fbef}' } })
const base64 = Buffer.from(json).toString('base64')
const zlib = deflateSync(json).toString('base64')

describe('the store endpoint', () => {
  it.each([
    ['base64 of zlib of JSON', zlib, {}],
    ['base64 of gzip of JSON', gzipSync(json).toString('base64'), {}],
    ['base64 in lines', base64.replaceAll(/.{40}/g, '$&\r\n'), {}],
    ['a form with JSON', `sentry_data=${encodeURIComponent(json)}&x=1`, formType],
    ['a form with base64', `sentry_data=${encodeURIComponent(base64)}`, formType],
    ['a form with base64 that is not escaped', `sentry_data=${base64}`, formType],
    ['a form with other fields before it', `a=1&sentry_data=${encodeURIComponent(json)}`, formType],
    ['a form with base64 of zlib', `sentry_data=${encodeURIComponent(zlib)}`, formType],
    ['a form that does not say it is one', `sentry_data=${encodeURIComponent(json)}`, {}],
    ['JSON that says it is a form', json, formType],
  ])('accepts %s', async (_what, body, headers: Record<string, string>) => {
    const response = await post(body, headers)
    expect([response.status, await response.json()]).toEqual([200, { id: anyEventId }])
    expect((await onlyEvent()).message?.formatted).toBe('old SDK ~~~>>>???ûûû')
  })

  it.each([json, base64, zlib])('accepts an event in the URL of an image', async (data) => {
    const response = await get(`&sentry_data=${encodeURIComponent(data)}`)
    const picture = Buffer.from(await response.arrayBuffer())
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('image/gif')
    expect(picture.subarray(0, 6).toString('latin1')).toBe('GIF89a')
    // Width and height.
    expect([picture.readUInt16LE(6), picture.readUInt16LE(8)]).toEqual([1, 1])
    expect((await onlyEvent()).message?.formatted).toBe('old SDK ~~~>>>???ûûû')
  })

  it.each(['', '&sentry_data=', '&sentry_data=%7B%22a', '&sentry_data=====', '&sentry_data=%ff%fe'])(
    'answers an address without an event in it with 400: %j',
    async (query) => {
      const response = await get(query)
      expect(response.status).toBe(400)
      expect(await response.json()).toHaveProperty('detail')
      expect(await counted()).toEqual({})
    },
  )

  it('does not parse an event over the size limit', async () => {
    expect((await post(`{"message":"${'x'.repeat(1_100_000)}`)).status).toBe(413)
    expect(await counted()).toEqual({ 'error invalid too_large': 1 })
  })

  it('reads numbers outside of JSON, as old Python SDKs write them', async () => {
    await post('{"message":"NaN is \\"Infinity\\"","extra":{"a":NaN,"b":[-Infinity,Infinity],"NaN":1}}')
    const event = await onlyEvent()
    expect(event.message?.formatted).toBe('NaN is "Infinity"')
    expect(event.extra).toEqual({ a: null, b: [null, null], NaN: 1 })
  })

  it('stores and shows texts that databases often reject', async () => {
    const deep = `${'{"a":'.repeat(6_000)}1${'}'.repeat(6_000)}`
    await post(
      `{"message":"a\\u0000b\\ud800","tags":{"k\\u0000":"\\udc00v"},"extra":{"deep":${deep},"n":1e999,"__proto__":{"x":1}}}`,
    )
    const event = await onlyEvent()
    expect(event.message?.formatted).toBe('a\ufffdb\ufffd')
    expect(JSON.stringify(event)).not.toMatch(/\\u0000|\\ud[89ab]/i)
    expect(Object.keys(event.extra)).toEqual(['deep', 'n'])
    expect(await counted()).toEqual({ 'error accepted': 1 })
  })

  it('corrects the time of an event whose client has a wrong clock', async () => {
    const yearMs = 365 * dayMs
    const sentAt = Date.now() - yearMs
    const event = { message: 'late', timestamp: (sentAt - 60_000) / 1000 }
    const header = { sent_at: new Date(sentAt).toISOString() }
    await postEnvelope(server.origin, `${JSON.stringify(header)}\n{"type":"event"}\n${JSON.stringify(event)}`)
    const { occurredAt, receivedAt, fieldErrors } = await onlyEvent()
    expect(receivedAt - occurredAt).toBeGreaterThanOrEqual(60_000)
    expect(receivedAt - occurredAt).toBeLessThan(120_000)
    expect(fieldErrors).toEqual([{ field: 'timestamp', reason: 'clock_drift' }])
  })
})
