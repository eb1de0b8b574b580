import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import sirv from 'sirv'
import { NodeRequest, sendNodeResponse } from 'srvx/node'
import { OperatorError } from '#server/errors.ts'
import { limits } from '#server/limits.ts'
import type { Services } from '#server/services.ts'
import type { NodeHandler } from './server.ts'

type ConsoleFetch = (request: Request, options: { context: { services: Services } }) => Promise<Response>

const oneYearSeconds = 31_536_000

/**
 * Loads the built console: files of `dist/client` first, then Start's handler with our services in its context.
 * `root` is the folder of `package.json`. Raises an `OperatorError` when there is no build.
 */
export async function loadConsole(root: string, services: Services): Promise<NodeHandler> {
  const entry = join(root, 'dist/server/server.js')
  if (!existsSync(entry)) {
    throw new OperatorError(
      `The console is not built: ${entry} is missing. Run "npx vite build" in ${root} (npm start does it for you), ` +
        'or serve ingest alone with "culvert start --ingest-only".',
    )
  }
  const fetchPage = requireFetch(await import(pathToFileURL(entry).href))
  const servePage: NodeHandler = async (request, response) => {
    const pageRequest = new NodeRequest({
      req: request,
      res: response,
      maxRequestBodySize: limits.consoleBodyBytes,
      // Behind a proxy that ends TLS the page's origin is https; only a proxy on this machine is believed.
      trustProxy: 'loopback',
    })
    await sendNodeResponse(response, await fetchPage(pageRequest, { context: { services } }))
  }
  const serveFile = sirv(join(root, 'dist/client'), {
    etag: true,
    // Where the build left compressed copies beside the files.
    brotli: true,
    gzip: true,
    extensions: [],
    setHeaders(response, pathname) {
      response.setHeader('x-content-type-options', 'nosniff')
      // Vite puts a hash of the content into these names.
      const isHashed = pathname.startsWith('/assets/')
      response.setHeader(
        'cache-control',
        isHashed ? `public, max-age=${oneYearSeconds}, immutable` : 'no-cache',
      )
    },
  })
  return (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return servePage(request, response)
    const answered = Promise.withResolvers<unknown>()
    response.once('close', answered.resolve)
    serveFile(request, response, () =>
      Promise.try(servePage, request, response).then(answered.resolve, answered.reject),
    )
    return answered.promise
  }
}

function requireFetch(module: unknown): ConsoleFetch {
  const entry = propertyOf(module, 'default')
  const fetchPage = propertyOf(entry, 'fetch')
  if (typeof fetchPage !== 'function')
    throw new OperatorError('dist/server/server.js is no Culvert build: build it again.')
  return async (request, options) => {
    const response: unknown = await fetchPage.call(entry, request, options)
    if (response instanceof Response) return response
    throw new TypeError('the console answered with something that is no Response')
  }
}

function propertyOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
