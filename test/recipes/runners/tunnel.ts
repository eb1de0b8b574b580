import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'
import { serveLocally } from '#test/listen-locally.ts'
import { bundle } from '../../e2e/support/browser-app.ts'
import { writeFile } from '../support/built-app.ts'
import { root } from '../support/documents.ts'
import { commandsAlone } from './command-lines.ts'
import { sdkFolder } from './programs.ts'
import type { Recipe } from './recipe.ts'
import { runCommands } from './shell.ts'

/** The upstreams of a project with the short name "shop". */
export const upstreamCommands: Recipe = commandsAlone(
  {
    prepare: (dataDir) => runCommands('npm run -s culvert -- project add Shop', dataDir),
    values: () => ({ 'https://KEY@': `https://${'a'.repeat(32)}@` }),
  },
  'o4507.ingest.us.sentry.io',
)

/** The option of the SDK: its events are sent to the page's own origin, and contain their DSN. */
export const tunnelOption: Recipe = async (code, { browser, context }) => {
  const entry = join(await sdkFolder(context), 'scripts/tunnel-option.js')
  writeFile(
    entry,
    `import * as Sentry from '@sentry/browser'\n${code}\nSentry.captureException(new Error('Through the tunnel'))`,
  )
  const script = await bundle(entry)
  const sent: string[] = []
  const server = createServer((request, response) => {
    const isScript = request.url === '/shop.js'
    if (request.method === 'POST') void text(request).then((body) => sent.push(`${request.url} ${body}`))
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    response.end(isScript ? script : '<!doctype html><title>Shop</title><script src="/shop.js"></script>')
  })
  const page = await serveLocally(server)
  const browserContext = await browser.newContext()
  await (await browserContext.newPage()).goto(page.origin)
  await expect
    .poll(() => sent)
    .toContainEqual(expect.stringMatching(/^\/crumbs[^]*"dsn":"https:\/\/KEY@[^]*Through the tunnel/))
  await browserContext.close()
  await page.close()
}

/** A block that another test runs: the file of that test, and the call with which it reads the block. */
export const runBy =
  (file: string, call: string): Recipe =>
  () => {
    expect(readFileSync(join(root, file), 'utf8')).toContain(call)
  }
