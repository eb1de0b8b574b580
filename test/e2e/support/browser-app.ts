import { createServer } from 'node:http'
import { join } from 'node:path'
import { build } from 'vite'
import { serveLocally } from '#test/listen-locally.ts'

/** Another application's page with `@sentry/browser`, on its own origin. */
export interface BrowserApp {
  address(dsn: string, userId: string, parameters?: Readonly<Record<string, string>>): string
  close(): Promise<void>
}

interface BrowserAppOptions {
  /** File of the page's script in `fixtures`, or its code. */
  script?: string | { code: string }
  /** Headers of the page. */
  headers?: Readonly<Record<string, string>>
}

/** Bundles the script of a page and serves both on a free port. */
export async function startBrowserApp({
  script: source = 'browser-page.ts',
  headers = {},
}: BrowserAppOptions = {}): Promise<BrowserApp> {
  const script =
    typeof source === 'string'
      ? await bundle(join(import.meta.dirname, '../fixtures', source))
      : await bundle('the-code', source.code)
  const server = createServer((request, response) => {
    const isScript = request.url === '/shop.js'
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(
      isScript
        ? script
        : '<!doctype html><html lang="en"><title>Shop</title><body><script type="module" src="/shop.js"></script>',
    )
  })
  const { origin, close } = await serveLocally(server)
  return {
    address: (dsn, userId, parameters = {}) =>
      `${origin}/?${new URLSearchParams({ dsn, user: userId, ...parameters })}`,
    close,
  }
}

/** Bundles a page's script with its imports. `code` is the content of the entry if there is no file. */
export async function bundle(entry: string, code?: string): Promise<string> {
  const given = {
    name: 'given-code',
    resolveId: (id: string) => (id === entry ? id : undefined),
    load: (id: string) => (id === entry ? code : undefined),
  }
  const result = await build({
    configFile: false,
    logLevel: 'error',
    plugins: code === undefined ? [] : [given],
    build: { write: false, minify: false, target: 'es2023', rolldownOptions: { input: entry } },
  })
  const [output] = Array.isArray(result) ? result : [result]
  if (output === undefined || !('output' in output)) throw new Error('nothing was built')
  const [script] = output.output
  return script.code
}
