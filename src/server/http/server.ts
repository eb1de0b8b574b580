import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { errorCode } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import type { Services } from '#server/services.ts'
import { createHostCheck, type HostCheck } from './allowed-host.ts'
import { findIngestTarget, splitTarget } from './ingest-path.ts'
import { answerIngest } from './node-ingest.ts'

/** Answers what is no ingest: files and pages. May answer later; a rejection becomes a 500. */
export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => unknown

/**
 * The front: one node:http server that answers ingest itself and hands everything else to `app`. Not yet listening.
 *
 * A body sent slowly is cut after 30 s with 408, headers after 10 s; what is no HTTP gets 400 and is closed. Pages
 * answer under the names of this server only; ingest and health checks, which give nothing away, under any.
 */
export function createFront(services: Services, app: NodeHandler): Server {
  const isOwnHost = createHostCheck(services.env)
  const server = createServer(
    {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      keepAliveTimeout: limits.keepAliveTimeoutMs,
      connectionsCheckingInterval: 1_000,
      insecureHTTPParser: false,
    },
    (request, response) => route({ services, app, isOwnHost }, request, response),
  )
  server.on('clientError', answerClientError)
  return server
}

/** For a front without the console: everything but ingest is a 404 in JSON. */
export const notFoundHandler: NodeHandler = (_request, response) => answerPlainly(response, 404, 'not found')

/** A load balancer asks by address. */
const healthPath = '/healthz'

/** TRACE and the like never get as far as a page: a Web Request cannot even carry them. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

interface Front {
  services: Services
  app: NodeHandler
  isOwnHost: HostCheck
}

function route(
  { services, app, isOwnHost }: Front,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const url = request.url ?? ''
  // Also an absolute URL, which asks for a proxy: we are none.
  if (!url.startsWith('/')) {
    answerPlainly(response, 400, 'bad request target')
    return
  }
  const { path, query } = splitTarget(url)
  const target = findIngestTarget(path)
  if (target !== undefined) {
    void answerIngest(services, { request, response, target, query })
    return
  }
  if (path !== healthPath && !isOwnHost(request.headers.host)) {
    answerPlainly(response, 421, unknownHost)
    return
  }
  if (!methods.has(request.method ?? 'GET')) {
    response.setHeader('allow', 'GET, HEAD')
    answerPlainly(response, 405, 'method not allowed')
    return
  }
  Promise.try(app, request, response).catch((thrown: unknown) => {
    services.log.error({ err: thrown }, 'request failed')
    if (!response.headersSent) answerPlainly(response, 500, 'internal error')
    else response.destroy()
  })
}

const unknownHost =
  'This server does not answer for the host name in this request. Its operator can set CULVERT_ORIGIN to the ' +
  'address under which it is reached.'

/** Answers with one sentence as JSON. */
export function answerPlainly(response: ServerResponse, status: number, detail: string): void {
  const body = JSON.stringify({ detail })
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
  })
  response.end(body)
}

/** What the parser refused, by its error code; everything else is 400. */
const clientErrorStatus = new Map([
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', '413 Payload Too Large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout'],
])

function answerClientError(error: Error, socket: Duplex): void {
  if (!socket.writable || errorCode(error) === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const status = clientErrorStatus.get(errorCode(error) ?? '') ?? '400 Bad Request'
  socket.write(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
  if (socket instanceof Socket) socket.destroySoon()
  else socket.end()
}
