import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createApiCaller, type CallApi } from '#test/api-call.ts'
import { addToken, startApiServer } from '#test/api-server.ts'
import type { TestServer } from '#test/start-server.ts'
import { writeFile } from './support/built-app.ts'
import { install, installAll, plainEnv } from './support/fixture-install.ts'
import { runToSuccess } from './support/run-program.ts'
import { skip } from './support/skip.ts'

let server: TestServer
let call: CallApi

beforeAll(async () => {
  await installAll()
  server = await startApiServer()
  call = createApiCaller(server.origin, await addToken(server))
}, 240_000)
afterAll(() => server.stop())

/** A request with a query and an error, as an application sends it. Prints the id of its trace. */
const program = `import * as Sentry from '@sentry/node'

Sentry.init({ dsn: process.env.SHOP_DSN, release: 'shop@1.0.0', tracesSampleRate: 1 })
Sentry.startSpan({ name: 'GET /orders', op: 'http.server' }, (request) => {
  const query = { name: 'SELECT id FROM orders WHERE shop_id = $1', op: 'db', attributes: { 'db.system': 'postgresql' } }
  Sentry.startSpan(query, () => Sentry.captureException(new Error('The orders are locked')))
  process.stdout.write(request.spanContext().traceId)
})
await Sentry.close(10_000)
`

// Version 10 sends a transaction, version 11 streams spans.
it.for([
  ['10', 'vite'],
  ['11', 'traces'],
] as const)(
  'a trace of @sentry/node %s has its request, its query and its error',
  { timeout: 60_000 },
  async ([version, fixture], context) => {
    const installed = await install(fixture)
    const folder = installed.ok ? installed.folder : skip(context, installed.reason)
    const path = join(folder, 'scripts', `node-${version}.mjs`)
    writeFile(path, program)
    const env = { ...plainEnv, SHOP_DSN: await server.dsn(42) }
    const traceId = await runToSuccess([process.execPath, path], { cwd: folder, env })
    expect(traceId).toMatch(/^[0-9a-f]{32}$/)

    await expect
      .poll(async () => (await call(`/organizations/default/trace/${traceId}/?project=-1`)).json)
      .toMatchObject([
        {
          name: 'GET /orders',
          op: 'http.server',
          project_slug: 'fixture',
          children: [
            {
              op: 'db',
              description: 'SELECT id FROM orders WHERE shop_id = $1',
              errors: [{ title: 'Error: The orders are locked' }],
            },
          ],
        },
      ])
  },
)
