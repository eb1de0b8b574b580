import { createServer } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { limits } from '#server/limits.ts'
import { listenLocally } from '#test/listen-locally.ts'
import { UpstreamConnections } from './connection.ts'
import { deliver } from './delivery.ts'

/** A server that answers each request with these bytes, valid or not, and records the requests. */
async function startAnswering(
  answer: string,
  { isEnded = false, isBytewise = false, delayMs = 0, timeoutMs = 20_000, port: closedPort = 0 } = {},
) {
  const heads: string[] = []
  let connectionCount = 0
  const server = createServer((socket) => {
    connectionCount += 1
    socket.on('error', () => undefined)
    socket.setNoDelay()
    socket.on('data', (bytes) => {
      const text = bytes.toString('latin1')
      if (!text.startsWith('POST ')) return
      heads.push(text.slice(0, text.indexOf('\r\n\r\n')).toLowerCase())
      const pieces = isBytewise ? answer.split('') : [answer]
      const write = () => {
        socket.write(pieces.shift() ?? '', 'latin1')
        if (pieces.length > 0) setImmediate(write)
        else if (isEnded) socket.end()
      }
      setTimeout(write, delayMs)
    })
  })
  const port = await listenLocally(server)
  const connections = new UpstreamConnections({ allowsPrivate: true })
  onTestFinished(() => {
    connections.close()
    server.close()
  })
  const dsn = {
    protocol: 'http' as const,
    publicKey: 'e'.repeat(32),
    host: `127.0.0.1:${closedPort || port}`,
    path: '/sentry',
    projectId: '1',
  }
  const send = (envelope = {}) =>
    deliver({ dsn }, { body: Buffer.from('{}\n'), ...envelope }, { connections, bounds: { timeoutMs } })
  return { send, heads, countConnections: () => connectionCount }
}

const proceed = 'HTTP/1.1 100 Continue\r\nX: y\r\n\r\n'
const noHttp = { kind: 'failed', problem: 'the answer is not HTTP' }
const taken = { kind: 'answered', status: 200 }

describe('an answer', () => {
  it('that does not come, or whose rest does not, is awaited for a time', async () => {
    const { send } = await startAnswering('', { timeoutMs: 500 })
    expect(await send()).toEqual({ kind: 'failed', problem: 'no answer in time' })
    const begun = 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}'
    // Long enough for the head on a busy machine.
    expect(await (await startAnswering(begun, { timeoutMs: 2_000 })).send()).toEqual(taken)
  })

  it('to a large envelope is awaited for longer, because its upload takes time', async () => {
    const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'
    const { send } = await startAnswering(answer, { delayMs: 300, timeoutMs: 100 })
    expect(await send({ body: Buffer.alloc(20 * limits.forwardBytesPerSecond) })).toEqual(taken)
  })

  it.each([
    ['with a length', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}', taken],
    ['in chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;a=b\r\n{}\r\n0\r\n\r\n', taken],
    [
      'behind hints',
      'HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
      taken,
    ],
    [
      'behind an unsolicited continue',
      `${proceed}${proceed}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}`,
      taken,
    ],
    ['with only an unsolicited continue', `${proceed}HTTP/1.0 no`, noHttp],
    ['with a broken chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-2\r\n{}', taken],
    [
      'of more than a little',
      `HTTP/1.1 200 OK\r\nContent-Length: 9999999\r\n\r\n${'x'.repeat(limits.forwardAnswerBytes + 1)}`,
      taken,
    ],
    [
      'with a length and chunks',
      'HTTP/1.1 200 OK\r\nContent-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n',
      noHttp,
    ],
    ['with a length that is none', 'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n', noHttp],
    ['of another protocol', 'SSH-2.0-OpenSSH_9.6\r\n\r\n', noHttp],
    ['with a head of more than a little', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(20_000)}`, noHttp],
    ['that switches protocols', 'HTTP/1.1 101 Switching Protocols\r\n\r\n', { kind: 'failed' }],
  ])('%s is parsed', async (...[, text, expected]) => {
    const { send } = await startAnswering(text)
    expect(await send()).toMatchObject(expected)
  })

  it('may arrive byte by byte behind an unsolicited continue, and leaves its connection open', async () => {
    const answer = `${proceed}HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nH`
    const { send, countConnections } = await startAnswering(answer, { isBytewise: true })
    for (let count = 0; count < 10; count += 1) expect(await send()).toEqual(taken)
    expect(countConnections()).toBeLessThanOrEqual(2)
  })

  it('may end with its connection, or be missing', async () => {
    expect(await (await startAnswering('HTTP/1.1 200 OK\r\n\r\n{}', { isEnded: true })).send()).toEqual(taken)
    const { send } = await startAnswering('', { isEnded: true })
    expect(await send()).toEqual({ kind: 'failed', problem: 'ECONNRESET' })
  })

  it('of a server that does not run is missing', async () => {
    const closed = createServer()
    const port = await listenLocally(closed)
    await new Promise((resolve) => closed.close(resolve))
    const { send } = await startAnswering('', { port })
    expect(await send()).toEqual({ kind: 'failed', problem: 'ECONNREFUSED' })
  })

  it('combines rate limits from several header lines', async () => {
    const { send } = await startAnswering(
      'HTTP/1.1 429 No\r\nretry-after: 7\r\nx-sentry-rate-limits: 1:error:key\r\nX-Sentry-Rate-Limits: 2::key\r\nContent-Length: 0\r\n\r\n',
    )
    const answer = { kind: 'answered', status: 429, retryAfter: '7', rateLimits: '1:error:key, 2::key' }
    expect(await send()).toEqual(answer)
  })

  it('if complete, leaves its connection open for the next envelope', async () => {
    const { send, countConnections } = await startAnswering('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}')
    for (let count = 0; count < 10; count += 1) expect(await send()).toEqual(taken)
    // One connection is still being closed when the next envelope is sent immediately.
    expect(countConnections()).toBeLessThanOrEqual(2)
  })
})

it('a request contains only the user agent and the address of the client, one line each', async () => {
  const { send, heads } = await startAnswering('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
  await send({ clientAddress: '192.0.2.7', userAgent: 'Fir\r\nCookie: a=b\u2028efox' })
  const [first = '', ...lines] = heads[0]?.split('\r\n') ?? []
  expect(first).toBe('post /sentry/api/1/envelope/ http/1.1')
  expect(lines.map((line) => line.slice(0, line.indexOf(':'))).toSorted()).toEqual([
    'connection',
    'content-length',
    'content-type',
    'host',
    'user-agent',
    'via',
    'x-sentry-auth',
    'x-sentry-forwarded-for',
  ])
  expect(lines).toContain('user-agent: fircookie: a=befox')
  expect(lines).toContain('x-sentry-forwarded-for: 192.0.2.7')
})
