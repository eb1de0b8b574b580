import { request as httpRequest } from 'node:http'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import * as fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { errorEnvelope, randomEventId } from '#test/envelopes.ts'
import { exchangeRaw } from '#test/raw-exchange.ts'
import { fixtureProject, startServer } from '#test/start-server.ts'
import { storedEventIds } from '#test/stored-events.ts'

const { id, publicKey } = fixtureProject
const path = `/api/${id}/envelope/?sentry_key=${publicKey}`

const server = await startServer()
afterAll(() => server.stop())

function send(body: string | Uint8Array, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${server.origin}${path}`, { method: 'POST', body: Buffer.from(body), headers })
}

type Encode = (bytes: Uint8Array) => Uint8Array

const asIs: Encode = (bytes) => bytes

async function expectStored(eventId: string): Promise<void> {
  expect(await storedEventIds(server.services.store, id)).toContain(eventId)
}

describe('a content encoding', () => {
  it.each<[string, Encode]>([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
    ['', asIs],
    ['UTF-8', asIs],
    ['identity', asIs],
  ])('%j is decoded', async (encoding, encode) => {
    const eventId = randomEventId()
    const body = encode(Buffer.from(errorEnvelope({ eventId })))
    const response = await send(body, { 'content-encoding': encoding })
    expect(await response.json()).toEqual({ id: eventId })
    await expectStored(eventId)
  })

  it('is decoded for a body that is inflated in the thread pool', async () => {
    const eventId = randomEventId()
    const noise = Array.from({ length: 20_000 }, () => randomEventId()).join('')
    const body = gzipSync(
      `{"event_id":"${eventId}"}\n{"type":"event"}\n{"message":"${noise.slice(0, 900_000)}"}`,
    )
    expect((await send(body, { 'content-encoding': 'gzip' })).status).toBe(200)
    await expectStored(eventId)
  })

  it.each([
    ['unknown', 'snappy', Buffer.from('x')],
    ['stacked', 'gzip, br', gzipSync('{}')],
  ])('that is %s is 415 and lists the supported ones', async (_what, encoding, body) => {
    const response = await send(body, { 'content-encoding': encoding })
    expect(response.status).toBe(415)
    expect(response.headers.get('accept-encoding')).toBe('gzip, deflate, br, zstd')
  })

  it.each(['gzip', 'deflate', 'br', 'zstd'])('%s of broken or missing data is 400', async (encoding) => {
    for (const body of [Buffer.from('not compressed at all'), Buffer.alloc(0)]) {
      expect((await send(body, { 'content-encoding': encoding })).status).toBe(400)
    }
  })

  it.each<[string, Encode]>([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ])('%s hiding more than the limit is 413', async (encoding, encode) => {
    const bomb = encode(Buffer.alloc(60_000_000))
    expect((await send(bomb, { 'content-encoding': encoding })).status).toBe(413)
  })
})

describe('a body over the limit on the wire', () => {
  it('is answered 413 even to a client that sends all of it before it reads', async () => {
    const body = Buffer.alloc(25_000_000, 'a')
    const status = await new Promise((resolve, reject) => {
      const request = httpRequest(`${server.origin}${path}`, { method: 'POST', agent: false }, (response) => {
        resolve(response.statusCode)
        response.resume()
      })
      request.on('error', reject)
      request.end(body)
    })
    expect(status).toBe(413)
  })
})

describe('a client that disconnects after the last byte', () => {
  it('has its event stored', async () => {
    const eventId = randomEventId()
    const body = errorEnvelope({ eventId })
    const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`
    await exchangeRaw(server.origin, head + body, 100)
    await expect.poll(() => storedEventIds(server.services.store, id)).toContain(eventId)
  })
})

describe('pages of other origins', () => {
  it('may read every answer, including errors', async () => {
    const answers = [
      await send(errorEnvelope()),
      await send('broken'),
      await send('x', { 'content-encoding': 'snappy' }),
      await fetch(`${server.origin}/api/${id}/envelope/`, { method: 'POST', body: '{}' }),
      await fetch(`${server.origin}/api/999/envelope/?sentry_key=${publicKey}`, {
        method: 'POST',
        body: '{}',
      }),
      await fetch(`${server.origin}${path}`),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 415, 401, 403, 405])
    for (const { headers } of answers) {
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('access-control-expose-headers')).toBe(
        'x-sentry-error, x-sentry-rate-limits, retry-after',
      )
      expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
      expect(headers.get('content-type')).toBe('application/json')
    }
  })

  it('get an answer to a preflight without a key', async () => {
    const response = await fetch(`${server.origin}/api/${id}/envelope/`, { method: 'OPTIONS' })
    expect(response.status).toBe(200)
    expect(response.headers.get('access-control-allow-methods')).toBe('POST')
    expect(response.headers.get('access-control-allow-headers')).toMatch(/x-sentry-auth.*content-encoding/)
    expect(response.headers.get('access-control-max-age')).toBe('3600')
  })
})

describe('other methods', () => {
  it.each(['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH'])('%s is 405 with Allow', async (method) => {
    const response = await fetch(`${server.origin}${path}`, { method })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('POST, OPTIONS')
  })
})

describe('the server', () => {
  it.each([
    ['an absolute target', 'GET http://evil.example/ HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['a header over 16 kB', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(17_000)}\r\n\r\n`, 431],
    ['a NUL in a header', 'GET / HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n', 400],
    ['no HTTP', 'EHLO example.com\r\n\r\n', 400],
    [
      'both lengths',
      `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    ['a bad chunk size', `POST ${path} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`, 400],
  ])('rejects %s', async (_what, bytes, status) => {
    expect(await exchangeRaw(server.origin, bytes)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  })

  it('answers an unknown path with 404 in JSON', async () => {
    for (const other of ['/', '/api/42/minidumps/', '/api/42/envelope/x', '/api//envelope/']) {
      const response = await fetch(`${server.origin}${other}`, { method: 'POST' })
      expect([response.status, await response.json()]).toEqual([404, { detail: 'not found' }])
    }
  })

  it('survives any body under any encoding without a 5xx', async () => {
    const encodings = fc.constantFrom(
      undefined,
      'gzip',
      'deflate',
      'br',
      'zstd',
      'UTF-8',
      'constructor',
      '__proto__',
    )
    const bodies = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.json().map((text) => Buffer.from(`{}\n{"type":"event"}\n${text}`)),
      fc
        .tuple(fc.json(), fc.string(), fc.json())
        .map(([header, type, payload]) =>
          Buffer.from(`${header}\n${JSON.stringify({ type })}\n${payload}\n`),
        ),
    )
    await fc.assert(
      fc.asyncProperty(bodies, encodings, async (body, encoding) => {
        const response = await send(body, encoding === undefined ? {} : { 'content-encoding': encoding })
        expect([200, 400, 413, 415]).toContain(response.status)
      }),
      { numRuns: 200 },
    )
  })
})
