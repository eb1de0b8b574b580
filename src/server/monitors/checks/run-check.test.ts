import { once } from 'node:events'
import { createServer, Server, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { createServer as createTcpServer, type Server as TcpServer } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, describe, expect, it } from 'vitest'
import type { UptimeSettings, UptimeTarget } from '#monitors/uptime.ts'
import { limits } from '#server/limits.ts'
import { parsePrivateDestinations } from '#server/private-destinations.ts'
import { createAuthority } from '#test/certificates.ts'
import { listenLocally } from '#test/listen-locally.ts'
import { createCertificate } from '#test/smtp-receiver.ts'
import { createConnectRule } from './connect-rule.ts'
import { runCheck } from './run-check.ts'

const open: TcpServer[] = []
const trusted = getCACertificates('default')
const authority = await createAuthority()
setDefaultCACertificates([...trusted, authority.cert])
afterAll(async () => {
  setDefaultCACertificates(trusted)
  for (const server of open) {
    server.close()
    if (server instanceof Server) server.closeAllConnections()
  }
  await authority.remove()
})

function listen(server: TcpServer): Promise<number> {
  open.push(server)
  return listenLocally(server)
}

const listenHttp = (handle: RequestListener) => listen(createServer(handle))
/** A server that writes bytes, then reads what arrives. */
const listenRaw = (bytes: string | Buffer) =>
  listen(
    createTcpServer((socket) => {
      socket.on('error', () => undefined)
      socket.resume()
      socket.once('data', () => socket.write(bytes))
    }),
  )

type HttpTarget = Extract<UptimeTarget, { kind: 'http' }>
const httpTarget = (url: string, fields: Partial<HttpTarget> = {}): HttpTarget => ({
  kind: 'http',
  url,
  method: 'GET',
  headers: [],
  body: '',
  expectedStatus: '2xx',
  expectedText: '',
  followsRedirects: true,
  ...fields,
})

/** Checks a target from a server whose operator allows `allowed`. */
function check(target: UptimeTarget, { allowed = 'localhost', timeoutSeconds = 5 } = {}) {
  const settings: UptimeSettings = {
    kind: 'uptime',
    target,
    environment: 'production',
    intervalSeconds: 60,
    timeoutSeconds,
    failureThreshold: 1,
    recoveryThreshold: 1,
  }
  const destinations = parsePrivateDestinations(allowed)
  if (destinations === undefined) throw new Error('not a list')
  const rule = createConnectRule(destinations, (name, _options, callback) => {
    if (name === 'localhost' || name === 'other.test') callback(null, [{ address: '127.0.0.1', family: 4 }])
    else if (name === 'metadata.test') callback(null, [{ address: '169.254.169.254', family: 4 }])
    else callback(Object.assign(new Error(name), { code: 'ENOTFOUND' }), [])
  })
  return runCheck(settings, { rule, now: Date.now, stopped: new AbortController().signal })
}

const failed = (reason: string, detail: unknown = expect.any(String)) => ({
  status: 'error',
  seen: { reason, detail },
})

describe('a check of a forbidden address', () => {
  it.each([
    'http://127.0.0.1:1/',
    'http://[::1]:1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://169.254.169.254/latest/meta-data/',
    'https://metadata.test/',
    'http://[::ffff:10.0.0.1]/',
  ])('fails for %s without a connection', async (url) => {
    expect(await check(httpTarget(url))).toMatchObject(
      failed('forbidden', expect.stringContaining('CULVERT_ALLOW_PRIVATE_DESTINATIONS=')),
    )
  })

  it('fails for a redirect to it, which is not followed', async () => {
    let connectionCount = 0
    const hidden = createServer((_request, response) => response.end('secret'))
    hidden.on('connection', () => (connectionCount += 1))
    const port = await listen(hidden)
    for (const location of [
      `http://127.0.0.1:${port}/`,
      `http://other.test:${port}/`,
      '//169.254.169.254/',
    ]) {
      const redirecting = await listenHttp((_request, response) =>
        response.writeHead(302, { location }).end(),
      )
      const outcome = await check(httpTarget(`http://localhost:${redirecting}/`), {
        allowed: `localhost:${redirecting}`,
      })
      expect(outcome).toMatchObject(failed('forbidden'))
    }
    expect(connectionCount).toBe(0)
    expect(await check({ kind: 'tcp', host: 'other.test', port })).toMatchObject(failed('forbidden'))
    expect(connectionCount).toBe(0)
  })
})

const noHttp = /^The response is not HTTP/
const tooLate = /^No response within a second$/

describe('a check of a hostile or broken server', () => {
  it.each([
    { name: 'that never answers', bytes: '', reason: 'timeout', detail: tooLate },
    { name: 'that never ends its head', bytes: 'HTTP/1.1 200 OK\r\nx: ', reason: 'timeout', detail: tooLate },
    {
      name: 'that never ends its body',
      bytes: 'HTTP/1.1 200 OK\r\n\r\nhello',
      reason: 'timeout',
      detail: tooLate,
    },
    {
      name: 'that is not HTTP',
      bytes: '220 mail.example.com ESMTP\r\n',
      reason: 'protocol',
      detail: noHttp,
    },
    {
      name: 'with endless headers',
      bytes: `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}`,
      reason: 'protocol',
      detail: noHttp,
    },
  ])('$name fails', async ({ bytes, reason, detail }) => {
    const port = await listenRaw(bytes)
    const target = httpTarget(`http://localhost:${port}/`, { expectedText: 'nothing' })
    expect(await check(target, { timeoutSeconds: 1 })).toMatchObject(
      failed(reason, expect.stringMatching(detail)),
    )
  })

  it('that sends an endless body is read to the limit', async () => {
    let sentBytes = 0
    const chunk = Buffer.alloc(64 * 1024, 'x')
    const port = await listenHttp((_request, response) => {
      const send = () => {
        while (!response.destroyed && response.write(chunk)) sentBytes += chunk.byteLength
      }
      response.on('drain', send)
      response.on('error', () => undefined)
      send()
    })
    const target = httpTarget(`http://localhost:${port}/`, { expectedText: 'nothing' })
    expect(await check(target)).toMatchObject(failed('text'))
    // Data in the sockets of both sides is sent, too.
    expect(sentBytes).toBeLessThan(limits.uptimeBodyBytes + 32 * 1024 * 1024)
    expect(await check(httpTarget(`http://localhost:${port}/`))).toMatchObject({ status: 'ok' })
  })

  it('that closes the connection, or none is at the port, fails with the reason', async () => {
    const closing = await listen(createTcpServer((socket) => socket.destroy()))
    expect(await check(httpTarget(`http://localhost:${closing}/`))).toMatchObject(failed('connection'))
    const gone = createTcpServer()
    const port = await listen(gone)
    gone.close()
    await once(gone, 'close')
    const refused = failed('refused', 'The server refused the connection')
    expect(await check(httpTarget(`http://localhost:${port}/`))).toMatchObject(refused)
    expect(await check({ kind: 'tcp', host: 'localhost', port })).toMatchObject(refused)
    expect(await check(httpTarget('http://nowhere.test/'))).toMatchObject(
      failed('dns', 'The host name has no address'),
    )
  })

  it('that redirects without end fails', async () => {
    const port = await listenHttp((_request, response) =>
      response.writeHead(307, { location: '/again' }).end(),
    )
    expect(await check(httpTarget(`http://localhost:${port}/`))).toMatchObject(failed('redirect'))
    const elsewhere = await listenHttp((_request, response) =>
      response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
    )
    expect(await check(httpTarget(`http://localhost:${elsewhere}/`))).toMatchObject(failed('redirect'))
  })
})

describe('a check of HTTP', () => {
  it('compares the status and the text, and stores the response', async () => {
    const port = await listenHttp((request, response) => {
      response.statusCode = Number(request.url?.slice(1))
      response.end('the shop is open')
    })
    const url = `http://localhost:${port}`
    expect(await check(httpTarget(`${url}/204`))).toMatchObject({ status: 'ok', seen: { httpStatus: 204 } })
    expect(await check(httpTarget(`${url}/503`))).toMatchObject({
      status: 'error',
      seen: { reason: 'status', detail: 'Status 503 instead of 2xx', httpStatus: 503 },
    })
    const accepted = { expectedStatus: '200, 404-405', expectedText: 'is open' }
    expect(await check(httpTarget(`${url}/404`, accepted))).toMatchObject({ status: 'ok' })
    expect(await check(httpTarget(`${url}/404`, { ...accepted, expectedText: 'closed' }))).toMatchObject({
      status: 'error',
      seen: { reason: 'text', httpStatus: 404 },
    })
  })

  it('sends its method, headers and body, and the trace that the result keeps', async () => {
    const seen: { method?: string | undefined; body: string; headers: IncomingHttpHeaders }[] = []
    const port = await listenHttp((request, response) => {
      let body = ''
      request.on('data', (chunk: Buffer) => (body += chunk.toString()))
      request.on('end', () => {
        seen.push({ method: request.method, body, headers: request.headers })
        response.end()
      })
    })
    const target = httpTarget(`http://localhost:${port}/`, {
      method: 'POST',
      headers: [['Authorization', 'Bearer secret']],
      body: '{"ä":1}',
    })
    const { traceId } = await check(target)
    expect(seen).toMatchObject([
      {
        method: 'POST',
        body: '{"ä":1}',
        headers: {
          authorization: 'Bearer secret',
          'content-length': '8',
          'sentry-trace': expect.stringMatching(new RegExp(`^${traceId}-[0-9a-f]{16}-0$`)) as string,
          baggage: `sentry-trace_id=${traceId},sentry-sampled=false,sentry-environment=production`,
        },
      },
    ])
  })

  it('follows redirects if it is set to, without its headers to another origin', async () => {
    const headers: (string | undefined)[] = []
    const target = await listenHttp((request, response) => {
      headers.push(request.headers.authorization)
      response.end('arrived')
    })
    const first = await listenHttp((_request, response) =>
      response.writeHead(301, { location: `http://other.test:${target}/` }).end(),
    )
    const given = {
      headers: [['authorization', 'Bearer secret']] satisfies [string, string][],
      expectedText: 'arrived',
    }
    const url = `http://localhost:${first}/`
    const allowed = 'localhost, other.test'
    expect(await check(httpTarget(url, given), { allowed })).toMatchObject({ status: 'ok' })
    expect(headers).toEqual([undefined])
    const stays = { ...given, expectedText: '', followsRedirects: false }
    expect(await check(httpTarget(url, stays), { allowed })).toMatchObject({
      status: 'error',
      seen: { httpStatus: 301 },
    })
    expect(await check(httpTarget(url, { ...stays, expectedStatus: '301' }), { allowed })).toMatchObject({
      status: 'ok',
    })
    expect(headers).toHaveLength(1)
  })
})

const serve = (certificate: { key: string; cert: string }) =>
  listen(createHttpsServer(certificate, (_request, response) => response.end('hello')))

describe('a check of TLS', () => {
  it('fails for certificates that are expired, self-signed or of another host', async () => {
    const cases = [
      [authority.issue('localhost', -1), 'The certificate has expired'],
      [await createCertificate(), 'The certificate is self-signed'],
      [authority.issue('elsewhere.test', 10), 'The certificate is for another host'],
    ] as const
    for (const [certificate, detail] of cases) {
      const port = await serve(certificate)
      const tls = failed('tls', detail)
      expect(await check(httpTarget(`https://localhost:${port}/`))).toMatchObject(tls)
      expect(await check({ kind: 'certificate', host: 'localhost', port, warnDays: 14 })).toMatchObject(tls)
    }
    const plain = await listenHttp((_request, response) => response.end())
    expect(await check(httpTarget(`https://localhost:${plain}/`))).toMatchObject(failed('tls'))
  })

  it('warns before a certificate expires', async () => {
    const port = await serve(authority.issue('localhost', 10.5))
    const of = (warnDays: number) => check({ kind: 'certificate', host: 'localhost', port, warnDays })
    expect(await of(14)).toMatchObject(
      failed('expiry', expect.stringMatching(/^The certificate expires in 10 days, on \d{4}-\d\d-\d\d$/)),
    )
    expect(await of(10)).toMatchObject({
      status: 'ok',
      seen: { certificateExpiresAt: expect.any(Number) as number },
    })
    expect(await check(httpTarget(`https://localhost:${port}/`))).toMatchObject({
      status: 'ok',
      seen: { httpStatus: 200, certificateExpiresAt: expect.any(Number) as number },
    })
  })
})

it('connects to a TCP port, even one that never writes', async () => {
  const port = await listenRaw('')
  expect(await check({ kind: 'tcp', host: 'localhost', port })).toMatchObject({
    status: 'ok',
    seen: { detail: 'Connected' },
  })
})
