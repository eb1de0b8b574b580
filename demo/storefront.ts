import { createServer } from 'node:http'
import { join } from 'node:path'
import { build } from 'vite'
import type { Deployment } from './deployments.ts'
import { listen } from './shop/api/partners.ts'

/** The storefront's web server. */
export interface Storefront {
  /** The page's address on this machine, for a real browser. */
  address: string
  /** The loopback port of `http://www.shop.example` in the demo's own browser. */
  port: number
  close(): void
}

/** The address of the page of one deployment, with the host name that the demo's own browser resolves. */
export function productAddress({ release, environment }: Deployment): string {
  return `http://www.shop.example/product/desk-lamp?${new URLSearchParams({ release, environment })}`
}

const actions = [
  'next-picture',
  'zoom',
  'breadcrumb',
  'submit-order',
  'recommendations',
  'restore-cart',
  'remember-history',
  'experiment',
  'slow-page',
  'reviews',
]

/** Builds the storefront's page, whose SDK sends to `dsn`, and serves it on a free loopback port. */
export async function startStorefront(dsn: string): Promise<Storefront> {
  const scripts = await buildScripts()
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://storefront')
    const script = scripts.get(pathname)
    if (script !== undefined) {
      response.setHeader('content-type', 'text/javascript')
      response.end(script)
    } else if (pathname.startsWith('/product/')) {
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.end(renderPage({ ...Object.fromEntries(searchParams), dsn }))
    } else {
      response.statusCode = pathname.startsWith('/api/') ? 502 : 404
      response.end()
    }
  })
  const port = await listen(server)
  return {
    address: `http://127.0.0.1:${port}/product/desk-lamp?release=web%401.6.2&environment=production`,
    port,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** The page's modules, not minified, and the SDK in one file: code by path. */
async function buildScripts(): Promise<Map<string, string>> {
  const root = join(import.meta.dirname, 'shop')
  const result = await build({
    configFile: false,
    logLevel: 'error',
    root,
    build: {
      write: false,
      minify: false,
      target: 'es2023',
      rolldownOptions: {
        input: join(root, 'storefront/page.ts'),
        preserveEntrySignatures: 'exports-only',
        output: {
          entryFileNames: 'assets/[name].js',
          chunkFileNames: 'assets/[name].js',
          codeSplitting: {
            groups: [
              { name: 'sentry', test: /node_modules/ },
              { name: 'gallery', test: /gallery/ },
              { name: 'checkout', test: /checkout/ },
            ],
          },
        },
      },
    },
  })
  const outputs = Array.isArray(result) ? result : [result]
  const scripts = new Map<string, string>()
  for (const output of outputs) {
    if (!('output' in output)) continue
    for (const file of output.output) if (file.type === 'chunk') scripts.set(`/${file.fileName}`, file.code)
  }
  return scripts
}

function renderPage(data: Record<string, string>): string {
  const attributes = Object.entries(data).map(([name, value]) => ` data-${name}="${escapeHtml(value)}"`)
  const buttons = actions.map((action) => `<button type="button" data-action="${action}">${action}</button>`)
  return `<!doctype html>
<html lang="en"${attributes.join('')}>
<meta charset="utf-8">
<title>Desk lamp – the demo's shop</title>
<h1>Desk lamp</h1>
<p>Each button fails the way its name says; the errors show up in Culvert.</p>
<p>${buttons.join('\n')}</p>
<script type="module" src="/assets/page.js"></script>
</html>`
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
