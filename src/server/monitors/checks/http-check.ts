import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { TLSSocket } from 'node:tls'
import { parseStatuses, type CheckSeen, type UptimeTarget } from '#monitors/uptime.ts'
import { limits } from '#server/limits.ts'
import { CheckFailure } from './check-failure.ts'
import type { CheckedHost, ConnectRule } from './connect-rule.ts'

type HttpTarget = Extract<UptimeTarget, { kind: 'http' }>

/** The dependencies of an HTTP check. */
export interface HttpCheckTools {
  rule: ConnectRule
  signal: AbortSignal
  /** Sent with each request, with the names of headers. */
  traceHeaders: Readonly<Record<string, string>>
}

/** A request of a check: the first one, or one after a redirect. */
interface Hop {
  url: URL
  method: string
  headers: Record<string, string>
  body: string
}

const redirects = new Set([301, 302, 303, 307, 308])

/** Requests a URL and follows its redirects. Throws a `CheckFailure`, or the error of the connection. */
export async function checkHttp(target: HttpTarget, tools: HttpCheckTools): Promise<CheckSeen> {
  const { method, expectedStatus, expectedText, followsRedirects } = target
  const headers = Object.fromEntries(target.headers)
  let hop: Hop = { url: new URL(target.url), method, headers, body: target.body }
  for (let redirectCount = 0; ; redirectCount += 1) {
    const answer = await send(hop, tools)
    try {
      const status = answer.statusCode ?? 0
      const { location } = answer.headers
      if (followsRedirects && redirects.has(status) && location !== undefined) {
        if (redirectCount >= limits.uptimeRedirects)
          throw new CheckFailure('redirect', `More than ${limits.uptimeRedirects} redirects`, status)
        hop = follow(hop, status, location)
        continue
      }
      const isExpected = parseStatuses(expectedStatus)?.some(({ from, to }) => status >= from && status <= to)
      if (isExpected !== true)
        throw new CheckFailure('status', `Status ${status} instead of ${expectedStatus}`, status)
      const certificateExpiresAt = readExpiry(answer)
      if (expectedText !== '' && !(await hasText(answer, expectedText, tools.signal)))
        throw new CheckFailure('text', 'The expected text is not in the response', status)
      return { detail: `Status ${status}`, httpStatus: status, certificateExpiresAt }
    } finally {
      answer.destroy()
    }
  }
}

/**
 * The request that follows a redirect, as in `fetch`, except that another origin gets none of the configured
 * headers.
 */
function follow(hop: Hop, status: number, location: string): Hop {
  const url = URL.parse(location, hop.url)
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === '')
    throw new CheckFailure('redirect', 'A redirect to a URL that is not HTTP', status)
  const isGet = hop.method === 'GET' || hop.method === 'HEAD'
  const becomesGet = !isGet && (status === 303 || (hop.method === 'POST' && status <= 302))
  return {
    url,
    method: becomesGet ? 'GET' : hop.method,
    headers: url.origin === hop.url.origin ? hop.headers : {},
    body: becomesGet ? '' : hop.body,
  }
}

/** The host and port of a URL. */
export function toCheckedHost({ hostname, port, protocol }: URL): CheckedHost {
  return {
    host: hostname.replaceAll(/^\[|\]$/g, ''),
    port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
  }
}

/** Sends one request on a separate connection. Resolves with the answer before its body. */
async function send(hop: Hop, { rule, signal, traceHeaders }: HttpCheckTools): Promise<IncomingMessage> {
  const { url, method, headers, body } = hop
  const lookup = rule(toCheckedHost(url))
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  const sent = request(url, {
    method,
    lookup,
    signal,
    agent: false,
    maxHeaderSize: limits.uptimeHeaderBytes,
    headers: {
      'user-agent': 'Culvert-Uptime',
      accept: '*/*',
      ...headers,
      // The text of a compressed answer cannot be searched.
      'accept-encoding': 'identity',
      ...(body !== '' && { 'content-length': String(Buffer.byteLength(body)) }),
      ...traceHeaders,
    },
  })
  sent.once('response', (answer) => {
    // Errors of the connection after the answer are ignored.
    answer.on('error', () => undefined)
    resolve(answer)
  })
  sent.once('upgrade', (_answer, socket) => {
    socket.destroy()
    reject(new CheckFailure('protocol', 'The server changed the protocol'))
  })
  sent.on('error', reject)
  sent.end(body === '' ? undefined : body)
  return promise
}

/** Searches the beginning of a body. Throws the error of a connection that ends before it. */
async function hasText(answer: IncomingMessage, text: string, signal: AbortSignal): Promise<boolean> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of answer) {
      if (!Buffer.isBuffer(chunk)) continue
      chunks.push(chunk)
      bytes += chunk.byteLength
      if (bytes >= limits.uptimeBodyBytes) break
    }
  } catch (error) {
    // The stream reports the end of its connection, but not the reason.
    throw signal.aborted ? signal.reason : error
  }
  const isFound = Buffer.concat(chunks).subarray(0, limits.uptimeBodyBytes).toString('utf8').includes(text)
  // A body without a length ends with its connection, which the time-out closes, too.
  if (!isFound && signal.aborted) throw signal.reason
  return isFound
}

function readExpiry({ socket }: IncomingMessage): number | undefined {
  return socket instanceof TLSSocket ? toExpiry(socket) : undefined
}

/** When the certificate of a connection expires, in Unix milliseconds. */
export function toExpiry(socket: TLSSocket): number | undefined {
  const at = Date.parse(socket.getPeerCertificate().valid_to)
  return Number.isNaN(at) ? undefined : at
}
