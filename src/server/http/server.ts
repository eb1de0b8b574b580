import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { limits } from '#server/limits.ts'
import { readMemoryBytes, toMemoryBounds } from '#server/memory-bounds.ts'
import type { Services } from '#server/services.ts'
import { createHostCheck, type HostCheck } from './allowed-host.ts'
import { answerClientError } from './answer/client-error.ts'
import { createResponseClass } from './answer/closing-response.ts'
import { answerJson, answerPlainly } from './answer/plain-answer.ts'
import { findProbeAnswer, probeHeader } from './answer/probe-answer.ts'
import { readinessPath, readReadinessAnswer } from './answer/readiness-answer.ts'
import { limitConnections } from './connection-limit.ts'
import { findIngestTarget } from './ingest-path.ts'
import { readTarget } from './malformed-request.ts'
import { answerIngest } from './node-ingest.ts'
import { formatTarget } from './request-target.ts'
import { createSlowBodyCheck } from './slow-bodies.ts'

/** Handles all requests except ingest: files and pages. May be asynchronous; a rejection becomes a 500. */
export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => unknown

/** The limits of a front. */
export interface FrontBounds {
  headersTimeoutMs: number
  requestTimeoutMs: number
  slowBodyWindowMs: number
  slowBodyTimeoutMs: number
  keepAliveTimeoutMs: number
  socketIdleMs: number
  /** Maximum number of open files and sockets of this process; infinite if unknown. */
  openFiles: number
}

/**
 * The front: a node:http server that answers ingest itself and passes all other requests to `app`. Not
 * listening yet. Limits are those of `limits` by default.
 *
 * A body is aborted with 408 if it stops for 20 s after the first 30 s, or takes 10 minutes; slow headers
 * after 10 s; a malformed request gets 400 and is closed; upgrades and CONNECT are not supported. Pages are
 * served only for the names of this server; ingest and health checks, which reveal nothing, for any name.
 * Once the process is stopping, every response closes its connection.
 */
export function createFront(services: Services, app: NodeHandler, bounds: Partial<FrontBounds> = {}): Server {
  const isOwnHost = createHostCheck(services.env)
  const { connections, bodyBytes } = toMemoryBounds(readMemoryBytes())
  const { requestTimeoutMs, slowBodyTimeoutMs, ...times } = { ...limits, ...bounds }
  const mayContinue = createSlowBodyCheck({
    windowMs: times.slowBodyWindowMs,
    timeoutMs: slowBodyTimeoutMs - requestTimeoutMs,
    maxBytes: bodyBytes * limits.slowBodyShare,
  })
  const server = createServer(
    {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: times.headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      keepAliveTimeout: times.keepAliveTimeoutMs,
      connectionsCheckingInterval: 1_000,
      insecureHTTPParser: false,
      ServerResponse: createResponseClass(() => services.readiness.isStopping),
    },
    (request, response) => route({ services, app, isOwnHost }, request, response),
  )
  server.timeout = times.socketIdleMs
  // A client may close its side after sending everything: the response follows the commit, by which time Node
  // would have ended the connection. Node supports the property, its types do not.
  Object.assign(server, { httpAllowHalfOpen: true })
  server.on('clientError', (error, socket) => {
    if (!mayContinue(error, socket)) answerClientError(error, socket)
  })
  const { log, clock } = services
  limitConnections(server, {
    log,
    clock,
    connections,
    openFiles: bounds.openFiles ?? Number.POSITIVE_INFINITY,
    findNetwork: (remoteAddress) => services.clientAddresses.findDirectNetwork(remoteAddress),
  })
  return server
}

/** Load balancers probe by IP address. */
const healthPaths = new Set(['/healthz', readinessPath])

/** Rejects TRACE and similar methods before they reach a page, as a Web Request cannot represent them. */
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
  const read = readTarget(request)
  if (!read.ok) {
    // The client may see the end of the request at another byte, so nothing more is read from the connection.
    response.shouldKeepAlive = false
    answerPlainly(response, read.status, read.detail)
    return
  }
  const { path, query } = read.target
  // Files, pages and the API route by the same normalized target.
  request.url = formatTarget(read.target)
  const target = findIngestTarget(path, services.env.tunnelPath)
  if (target !== undefined) {
    void answerIngest(services, { request, response, target, query })
    return
  }
  if (!healthPaths.has(path) && !isOwnHost(request.headers.host)) {
    answerPlainly(response, 421, unknownHost)
    return
  }
  if (!methods.has(request.method ?? 'GET')) {
    response.setHeader('allow', 'GET, HEAD')
    answerPlainly(response, 405, 'method not allowed')
    return
  }
  // Here and not in the console, so that it is answered without the console and while that is unavailable.
  const isReadinessCheck = path === readinessPath && (request.method === 'GET' || request.method === 'HEAD')
  const isProbe = path === '/healthz' && request.headers[probeHeader] !== undefined
  const answer: NodeHandler = isReadinessCheck
    ? () => answerReadiness(services, response)
    : isProbe
      ? () => answerProbe({ services, app }, request, response)
      : app
  Promise.try(answer, request, response).catch((thrown: unknown) => {
    services.log.error({ err: thrown }, 'request failed')
    if (!response.headersSent) answerPlainly(response, 500, 'internal error')
    else response.destroy()
  })
}

const unknownHost =
  'This server does not answer for the host name in this request. Its operator can set CULVERT_ORIGIN to the ' +
  'address under which it is reached.'

async function answerReadiness({ readiness }: Services, response: ServerResponse): Promise<void> {
  const { status, body } = await readReadinessAnswer(readiness)
  answerJson(response, status, body)
}

/** A request without the installation's signature gets the answer of a health check. */
async function answerProbe(
  { services, app }: Pick<Front, 'services' | 'app'>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<unknown> {
  const answer = await findProbeAnswer(services, request)
  return answer === undefined ? app(request, response) : answerJson(response, 200, answer)
}
