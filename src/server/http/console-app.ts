import { existsSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import sirv from 'sirv'
import { NodeRequest, sendNodeResponse } from 'srvx/node'
import { OperatorError } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import type { Services } from '#server/services.ts'
import { compressResponse } from './answer/compress-response.ts'
import { findContentEncoding } from './answer/content-encoding.ts'
import { answerPlainly } from './answer/plain-answer.ts'
import { isApiPath } from './api-path.ts'
import { normalizeForwarding } from './forwarding-headers.ts'
import { discardBody, streamBody, type StreamedBody } from './request-body.ts'
import type { NodeHandler } from './server.ts'

type ConsoleFetch = (request: Request, options: { context: { services: Services } }) => Promise<Response>

const oneYearSeconds = 31_536_000

/**
 * Loads the built console: files of `dist/client` first, then Start's handler with the services in its
 * context. `root` is the folder of `package.json`. Throws an `OperatorError` if there is no build.
 */
export async function loadConsole(root: string, services: Services): Promise<NodeHandler> {
  const entry = join(root, 'dist/console/server.js')
  if (!existsSync(entry)) {
    throw new OperatorError(
      `The console is not built: ${entry} is missing. Run "npm run build" in ${root} (npm start does it for you), ` +
        'or serve ingest alone with "culvert start --ingest-only".',
    )
  }
  const fetchPage = requireFetch(await import(pathToFileURL(entry).href))
  const servePage: NodeHandler = async (request, response) => {
    normalizeForwarding(request, services)
    const { webRequest, body } = toWebRequest(request, response)
    const answer = await fetchPage(webRequest, { context: { services } })
    if (answer.headers.get('content-type') === 'text/event-stream') endWithClient(request, response)
    const encoding =
      request.method === 'HEAD' ? undefined : findContentEncoding(request.headers['accept-encoding'])
    await sendNodeResponse(response, await compressResponse(answer, encoding))
    // Node discards a body that no handler has begun to read.
    if (body !== undefined && request.readableDidRead && !request.complete) void discardRest(request, body)
  }
  const serveFile = createFileHandler(join(root, 'dist'))
  return (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return servePage(request, response)
    const answered = Promise.withResolvers<unknown>()
    response.once('close', answered.resolve)
    serveFile(request, response, () => {
      void Promise.try(servePage, request, response).then(answered.resolve, answered.reject)
    })
    return answered.promise
  }
}

/** The stream `body` reads the body, if the method allows one. */
function toWebRequest(request: IncomingMessage, response: ServerResponse) {
  const head = new NodeRequest({
    req: request,
    res: response,
    // Behind a proxy that terminates TLS the page's origin is https. The headers have already been
    // normalized, so they are those of a trusted proxy.
    trustProxy: true,
  })
  const { url, method, headers, signal } = head
  if (method === 'GET' || method === 'HEAD') return { webRequest: head }
  const body = streamBody(request, findBodyLimit(request.url ?? ''))
  const init: StreamedRequestInit = { method, headers, signal, body: body.stream, duplex: 'half' }
  return { webRequest: new Request(url, init), body }
}

/** The DOM's types do not have `duplex` yet, without which a body cannot be a stream. */
interface StreamedRequestInit extends RequestInit {
  duplex: 'half'
}

/** Discards what a handler has not read, so that the connection can be reused, or is closed. */
async function discardRest(request: IncomingMessage, body: StreamedBody): Promise<void> {
  await body.release()
  await discardBody(request)
  if (!request.complete) request.socket.destroySoon()
}

/** The body of an upload is only read for users who may import. */
function findBodyLimit(path: string): number {
  if (isApiPath(path)) return limits.apiBodyBytes
  if (path.startsWith('/api/hooks/')) return limits.trackerReportBytes
  return path === '/settings/import/upload' ? limits.importUploadBytes : limits.consoleBodyBytes
}

/**
 * Ends a stream of events when the client closes its side of the connection. Other responses are not
 * affected, because their request was complete. A stream would otherwise continue until its next write fails.
 */
function endWithClient({ socket }: IncomingMessage, response: ServerResponse): void {
  const end = () => response.destroy()
  socket.once('end', end)
  response.once('close', () => socket.off('end', end))
}

type FileHandler = (request: IncomingMessage, response: ServerResponse, next: () => void) => void

/**
 * Serves the files of the build in `dist`, and the assets of the build before it: for open tabs of that
 * build, and for this server after a new build has replaced its files. Other assets are 404.
 */
function createFileHandler(dist: string): FileHandler {
  const serveFile = createFolderHandler(join(dist, 'client'))
  const servePrevious = createFolderHandler(join(dist, 'previous-client'), { dev: true })
  return (request, response, next) => {
    // The library ignores weights: it treats `br;q=0` as accepting Brotli.
    request.headers['accept-encoding'] = findContentEncoding(request.headers['accept-encoding']) ?? ''
    // The files are small, and the library throws on a range that ends before it begins.
    delete request.headers.range
    // The file was deleted after the check, or is unreadable: without a listener the error would end the
    // process.
    response.once('pipe', (file) => file.once('error', () => response.destroy()))
    const answerMissing = () => answerPlainly(response, 404, 'not found')
    const isAsset = request.url?.startsWith('/assets/') === true
    serveFile(request, response, isAsset ? () => servePrevious(request, response, answerMissing) : next)
  }
}

/**
 * Serves the files of `folder`. The library lists them once, or with `dev` looks for them at each request.
 * It does not handle an error when it opens one that has been removed.
 */
function createFolderHandler(folder: string, { dev = false } = {}): FileHandler {
  const serveFile = sirv(folder, {
    dev,
    etag: true,
    // The build writes compressed copies next to the files.
    brotli: true,
    gzip: true,
    extensions: [],
    setHeaders(response, pathname) {
      if (!existsSync(join(folder, pathname))) throw new FileGoneError()
      response.setHeader('x-content-type-options', 'nosniff')
      response.setHeader('cross-origin-resource-policy', 'same-origin')
      // Vite adds a hash of the contents to these names.
      const isHashed = pathname.startsWith('/assets/')
      response.setHeader(
        'cache-control',
        isHashed ? `public, max-age=${oneYearSeconds}, immutable` : 'no-cache',
      )
    },
  })
  return (request, response, next) => {
    try {
      serveFile(request, response, next)
    } catch (thrown) {
      if (!(thrown instanceof FileGoneError)) throw thrown
      next()
    }
  }
}

class FileGoneError extends Error {}

function requireFetch(module: unknown): ConsoleFetch {
  const entry = propertyOf(module, 'default')
  const fetchPage = propertyOf(entry, 'fetch')
  if (typeof fetchPage !== 'function')
    throw new OperatorError('dist/console/server.js is not a Culvert build: build it again.')
  return async (request, options) => {
    const response: unknown = await fetchPage.call(entry, request, options)
    if (response instanceof Response) return response
    throw new TypeError('the console answered with a value that is not a Response')
  }
}

function propertyOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
