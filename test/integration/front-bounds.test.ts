import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { onPostgres } from '#test/engine.ts'
import { errorEnvelope, randomEventId } from '#test/envelopes.ts'
import { exchangeRaw } from '#test/raw-exchange.ts'
import { fixtureProject, startServer, type TestServer } from '#test/start-server.ts'
import { storedEventIds } from '#test/stored-events.ts'
import { pause } from '#test/waiting.ts'

const { id, publicKey } = fixtureProject
const path = `/api/${id}/envelope/?sentry_key=${publicKey}`
const get = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'
const getAndClose = 'GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'

const server = await startServer({
  bounds: {
    headersTimeoutMs: 300,
    requestTimeoutMs: 600,
    slowBodyWindowMs: 300,
    keepAliveTimeoutMs: 300,
    socketIdleMs: 2_500,
  },
})
afterAll(() => server.stop())

/** Stays half-open: its resources are freed only when the server closes the connection. */
async function open(origin = server.origin, localAddress?: string): Promise<Socket> {
  const { hostname, port } = new URL(origin)
  const socket = connect({
    port: Number(port),
    host: hostname,
    allowHalfOpen: true,
    ...(localAddress !== undefined && { localAddress }),
  })
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

/** The number of connections of a server once those of earlier requests are closed. */
function expectConnections(count: number, of = server): Promise<void> {
  return expect.poll(() => of.countConnections(), { timeout: 20_000 }).toBe(count)
}

describe('a slow client', () => {
  it.each([
    ['sends nothing at all', ''],
    ['stops within the headers', 'POST / HTTP/1.1\r\nHost: a\r\nX-Slow: '],
    ['stops within the body', `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\n{}\n`],
    [
      'stops within a chunk',
      `POST ${path} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n{}`,
    ],
  ])('and %s gets 408, is closed and frees its connection', async (_what, bytes) => {
    const socket = await open()
    socket.write(bytes)
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\nconnection: close\r\n/)
    await expectConnections(0)
    expect(await storedEventIds(server.services.store, id)).toEqual([])
  })

  it('whose body continues, but by less than the minimum rate, gets 408', async () => {
    const socket = await open()
    socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\n{}\n`)
    const drip = setInterval(() => socket.write('{'), 100)
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
    clearInterval(drip)
    await expectConnections(0)
  })

  it('whose body continues at that rate is answered after the time-out of a whole request', async () => {
    const eventId = randomEventId()
    const file = `{"type":"attachment","length":1000000}\n${'x'.repeat(1_000_000)}`
    const body = `${errorEnvelope({ eventId })}\n${file}`
    const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n`
    const socket = await open()
    socket.write(head)
    const startedAt = performance.now()
    for (let at = 0; at < body.length; at += 16_000) {
      socket.write(body.slice(at, at + 16_000))
      await pause(40)
    }
    expect(performance.now() - startedAt).toBeGreaterThan(2_000)
    expect(await text(socket)).toContain(`{"id":"${eventId}"}`)
  })

  it('is closed without a further answer after its first one', async () => {
    const socket = await open()
    socket.write(get)
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 OK[^]*}$/)
    await expectConnections(0)
  })

  it('that never reads its answers is closed', async () => {
    const socket = await open()
    socket.pause()
    // More answers than the buffers of both sides hold.
    socket.write(get.repeat(60_000))
    await expectConnections(0)
  })
})

describe('a connection that a proxy keeps open', () => {
  let kept: TestServer
  beforeAll(async () => {
    kept = await startServer({
      bounds: {
        headersTimeoutMs: 300,
        requestTimeoutMs: 600,
        slowBodyWindowMs: 300,
        slowBodyTimeoutMs: 1_200,
        keepAliveTimeoutMs: 20_000,
        socketIdleMs: 500,
      },
    })
  })
  afterAll(() => kept.stop())

  it('remains open between two requests for longer than any other time-out, and is advertised', async () => {
    const socket = await open(kept.origin)
    let received = ''
    let isClosed = false
    socket.on('data', (chunk: Buffer) => (received += chunk.toString())).on('end', () => (isClosed = true))
    const post = `POST ${path} HTTP/1.1\r\nHost: a\r\n`
    const body = errorEnvelope({ eventId: randomEventId() })
    const countAnswers = () => received.split('HTTP/1.1 200 OK').length - 1
    for (const [index, request] of [
      get,
      `${post}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      get,
    ].entries()) {
      socket.write(request)
      await expect.poll(countAnswers).toBe(index + 1)
      // Two checks of Node's server for connections over a bound.
      await pause(2_200)
    }
    expect(isClosed).toBe(false)
    expect(received).toMatch(/^keep-alive: timeout=20\r$/im)
    socket.destroy()
  })

  it('gets 408 when a body takes longer than the time-out of slow ones', async () => {
    const socket = await open(kept.origin)
    const answer = text(socket)
    socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 19000000\r\n\r\n`)
    const send = setInterval(() => socket.write('x'.repeat(16_000)), 40)
    expect(await answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
    clearInterval(send)
  })

  it('is by default kept for longer than nginx and load balancers keep theirs, which is 60 s', () => {
    expect(limits.keepAliveTimeoutMs).toBeGreaterThan(60_000)
  })
})

describe('a client that sends invalid HTTP', () => {
  it('frees its connection even if it never closes its side', async () => {
    const sockets = await Promise.all(Array.from({ length: 20 }, () => open()))
    for (const socket of sockets) socket.write('EHLO example.com\r\n\r\n')
    for (const socket of sockets) expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /)
    await expectConnections(0)
  })
})

describe('more connections than allowed', () => {
  const max = 5
  let small: TestServer
  beforeAll(async () => {
    small = await startServer({ bounds: { openFiles: limits.reservedFiles + 1 + max } })
  })
  afterAll(() => small.stop())

  it('are closed without an answer, and accepted again when others are closed', async () => {
    const busy = await Promise.all(Array.from({ length: max }, () => open(small.origin)))
    expect(await exchangeRaw(small.origin, get)).toBe('')
    busy[0]?.destroy()
    await expectConnections(max - 1, small)
    expect(await exchangeRaw(small.origin, getAndClose)).toMatch(/^HTTP\/1\.1 200 /)
    for (const socket of busy) socket.destroy()
    await expectConnections(0, small)
  })

  it('replace idle ones', async () => {
    const idle = await Promise.all(Array.from({ length: max }, () => open(small.origin)))
    for (const socket of idle) socket.write(get)
    await Promise.all(idle.map((socket) => once(socket, 'data')))
    await expect.poll(() => exchangeRaw(small.origin, getAndClose)).toMatch(/^HTTP\/1\.1 200 /)
    for (const socket of idle) socket.destroy()
  })
})

describe('many connections of one client', () => {
  const max = 6
  let small: TestServer
  beforeAll(async () => {
    small = await startServer({
      bounds: { openFiles: limits.reservedFiles + 1 + max },
      variables: { CULVERT_TRUSTED_PROXIES: '127.0.0.1' },
    })
  })
  afterAll(() => small.stop())

  it('leave half of all to other clients, which are answered at once', async () => {
    const slow = await Promise.all(Array.from({ length: max }, () => open(small.origin, '127.0.0.66')))
    for (const socket of slow) socket.write('GET / HTTP/1.1\r\nX-Slow: ')
    await expectConnections(max / 2, small)
    const other = await open(small.origin, '127.0.0.77')
    other.end(get)
    expect(await text(other)).toMatch(/^HTTP\/1\.1 200 /)
    for (const socket of slow) socket.destroy()
    await expectConnections(0, small)
    const again = await open(small.origin, '127.0.0.66')
    again.end(get)
    expect(await text(again)).toMatch(/^HTTP\/1\.1 200 /)
  })

  it('have only the total limit if they are those of a trusted proxy', async () => {
    const sockets = await Promise.all(Array.from({ length: max }, () => open(small.origin, '127.0.0.1')))
    await expectConnections(max, small)
    for (const socket of sockets) socket.destroy()
    await expectConnections(0, small)
  })
})

describe('an event', () => {
  const head = `POST ${path} HTTP/1.1\r\nHost: a\r\n`

  it('sent in chunks of one byte is stored once', async () => {
    const eventId = randomEventId()
    const chunks = errorEnvelope({ eventId }).replaceAll(/[^]/g, (byte) => `1\r\n${byte}\r\n`)
    const bytes = `${head}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`
    expect(await exchangeRaw(server.origin, bytes)).toContain(`{"id":"${eventId}"}`)
    expect(await storedEventIds(server.services.store, id)).toContain(eventId)
  })

  // On PostgreSQL the settings of the project may have to be read first, and the junk ends the connection.
  it.skipIf(onPostgres)('is stored if junk follows it, and the junk is rejected', async () => {
    const eventId = randomEventId()
    const body = errorEnvelope({ eventId })
    const socket = await open()
    socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body}JUNK JUNK\r\n\r\n`)
    expect(await text(socket)).toMatch(/HTTP\/1\.1 400 /)
    await expect.poll(() => storedEventIds(server.services.store, id)).toContain(eventId)
  })

  it('is stored if its client sends Expect: 100-continue', async () => {
    const eventId = randomEventId()
    const body = errorEnvelope({ eventId })
    const socket = await open()
    socket.write(`${head}Expect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`)
    const first: unknown[] = await once(socket, 'data')
    expect(String(first[0])).toBe('HTTP/1.1 100 Continue\r\n\r\n')
    socket.write(body)
    expect(await text(socket)).toContain(`{"id":"${eventId}"}`)
  })
})

describe('a request that another server might parse differently', () => {
  const post = `POST ${path} HTTP/1.1\r\nHost: a\r\n`
  it.each([
    ['two Host headers', 'GET /healthz HTTP/1.1\r\nHost: a\r\nhOST: b\r\n\r\n', /^HTTP\/1\.1 400 /],
    ['no Host header', 'GET /healthz HTTP/1.1\r\n\r\n', /^HTTP\/1\.1 400 /],
    ['a coded transfer', `${post}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`, /^HTTP\/1\.1 501 /],
    ['an unknown coding', `${post}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`, /^HTTP\/1\.1 (400|501) /],
    ['a folded header', `${post}X: a\r\n b\r\nContent-Length: 2\r\n\r\n{}`, /^HTTP\/1\.1 400 /],
    ['two lengths', `${post}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, /^HTTP\/1\.1 400 /],
    ['a length beyond numbers', `${post}Content-Length: 99999999999999999999\r\n\r\n{}`, /^HTTP\/1\.1 400 /],
    ['a bare line feed', 'GET /healthz HTTP/1.1\nHost: a\n\n', /^HTTP\/1\.1 400 /],
    ['an unknown expectation', `${post}Expect: 200-maybe\r\nContent-Length: 2\r\n\r\n{}`, /^HTTP\/1\.1 417 /],
    ['HTTP/2 in clear text', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', /^HTTP\/1\.1 400 |^$/],
    ['a tunnel', 'CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: a\r\n\r\n', /^$/],
    ['an absolute target', 'GET http://169.254.169.254/ HTTP/1.1\r\nHost: a\r\n\r\n', /^HTTP\/1\.1 400 /],
  ])('is rejected and closed: %s', async (_what, bytes, answer) => {
    const socket = await open()
    socket.write(bytes)
    expect(await text(socket)).toMatch(answer)
    await expectConnections(0)
  })

  it('is not upgraded', async () => {
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n'
    const answer = await exchangeRaw(
      server.origin,
      `GET /healthz HTTP/1.1\r\nHost: a\r\n${upgrade}\r\n`,
      2_000,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
  })
})
