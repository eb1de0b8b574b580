import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { build } from 'vite'

/** Somebody else's page with `@sentry/browser`, on an origin of its own. */
export interface BrowserApp {
  address(dsn: string, userId: string): string
  close(): void
}

/** Bundles the page of `fixtures/browser-page.ts` and serves it on a free port. */
export async function startBrowserApp(): Promise<BrowserApp> {
  const script = await bundle(join(import.meta.dirname, '../fixtures/browser-page.ts'))
  const server = createServer((request, response) => {
    const isScript = request.url === '/shop.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(
      isScript
        ? script
        : '<!doctype html><title>Shop</title><body><script type="module" src="/shop.js"></script>',
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the page has no port')
  return {
    address: (dsn, userId) =>
      `http://127.0.0.1:${address.port}/?${new URLSearchParams({ dsn, user: userId })}`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Bundles a page's script, with all that it imports. */
export async function bundle(entry: string): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    build: { write: false, minify: false, target: 'es2023', rolldownOptions: { input: entry } },
  })
  const [output] = Array.isArray(result) ? result : [result]
  if (output === undefined || !('output' in output)) throw new Error('nothing was built')
  const [script] = output.output
  return script.code
}
