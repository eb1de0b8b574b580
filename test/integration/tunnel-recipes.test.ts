import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createServer as createSocketServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { updateProjectSettings } from '#server/store/project-settings.ts'
import { errorEnvelope, randomEventId } from '../support/envelopes.ts'
import { passOn } from '../support/express-recipe.ts'
import { fixtureProject, startServer, type TestServer } from '../support/start-server.ts'
import { createTempDir } from '../support/temp-dir.ts'

const { id, publicKey } = fixtureProject
const docs = readFileSync(join(import.meta.dirname, '../../docs/tunnel.md'), 'utf8')
const nginx = ['/usr/sbin/nginx', '/usr/bin/nginx'].find((path) => spawnSync(path, ['-v']).status === 0)

let server: TestServer
const stops: (() => Promise<unknown>)[] = []
beforeAll(async () => {
  server = await startServer()
  await updateProjectSettings(server.services.store, id, () => ({ allowedOrigins: ['https://shop.example'] }))
  await server.services.projectKeys.refresh()
})
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})
afterAll(() => server.stop())

/** Reports as a page of the shop does, and finds what is stored of it. */
async function report(origin: string): Promise<{ status: number; clientAddress: unknown }> {
  const eventId = randomEventId()
  const answer = await fetch(`${origin}/crumbs?o=1&p=${id}`, {
    method: 'POST',
    headers: {
      origin: 'https://shop.example',
      cookie: 'session=SECRET',
      'content-type': 'text/plain;charset=UTF-8',
    },
    body: errorEnvelope({ eventId, header: { dsn: `http://${publicKey}@culvert.example/${id}` } }),
  })
  const row = server.services.store.sqlite
    .prepare('SELECT client_address FROM events WHERE hex(event_id) = ?')
    .get(eventId.toUpperCase())
  return { status: answer.status, clientAddress: row?.['client_address'] }
}

/** The code of a section of docs/tunnel.md. */
function recipe(heading: string): string {
  const [, code = ''] = new RegExp(`### ${heading}\\n[^]*?\`\`\`\\w*\\n([^]*?)\`\`\``).exec(docs) ?? []
  if (code === '') throw new Error(`docs/tunnel.md has no code under ${heading}`)
  return code
}

async function freePort(): Promise<number> {
  const probe = createSocketServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const bound = probe.address()
  probe.close()
  return typeof bound === 'object' && bound !== null ? bound.port : 0
}

const plain = (code: string) => code.replaceAll(/\s+|;/g, '')

describe('the tunnel on the origin of another application', () => {
  it.skipIf(nginx === undefined)(
    'is passed on to by nginx (skipped where nginx is not installed)',
    async () => {
      const folder = await createTempDir()
      const port = await freePort()
      const location = recipe('nginx').replace('http://127.0.0.1:3000', server.origin)
      await mkdir(join(folder.path, 'temp'))
      const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (kind) => `${kind}_temp_path ${folder.path}/temp;`,
      )
      const config = `daemon off; pid ${folder.path}/pid; error_log ${folder.path}/error.log; events {}
      http { access_log off; ${temp.join(' ')} server { listen 127.0.0.1:${port}; ${location} } }`
      await writeFile(join(folder.path, 'nginx.conf'), config)
      const child: ChildProcess = spawn(
        nginx ?? '',
        ['-c', join(folder.path, 'nginx.conf'), '-p', folder.path],
        { stdio: 'ignore' },
      )
      stops.push(async () => {
        child.kill('SIGTERM')
        await once(child, 'exit')
        await folder.remove()
      })
      await expect
        .poll(() => report(`http://127.0.0.1:${port}`).catch(() => undefined), { timeout: 10_000 })
        .toEqual({ status: 200, clientAddress: '127.0.0.1' })
    },
  )

  it('is passed on to by Express', async () => {
    // The same lines, checked with types: what the handler gets is Node's own request.
    expect(plain(recipe('Express'))).toContain(
      plain("const passed = ['content-type', 'content-encoding', 'content-length', 'origin', 'user-agent']"),
    )
    const shop = createServer((request, response) => passOn(server.origin, request, response)).listen(
      0,
      '127.0.0.1',
    )
    await once(shop, 'listening')
    stops.push(async () => shop.close())
    const bound = shop.address()
    const origin = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : 0}`
    expect(await report(origin)).toEqual({ status: 200, clientAddress: '127.0.0.1' })
  })

  it('is passed on to by a route of TanStack Start, as it stands in the documentation', async () => {
    const [, body = ''] =
      /POST: async \(\{ request \}\) => \{([^]*?)\n {6}\},/.exec(recipe('TanStack Start')) ?? []
    // oxlint-disable-next-line typescript/no-implied-eval -- runs our own documentation
    const handle = new Function('culvert', 'request', `return (async () => {${body}})()`) as (
      culvert: string,
      request: Request,
    ) => Promise<Response>
    const request = new Request(`https://shop.example/crumbs?o=1&p=${id}`, {
      method: 'POST',
      headers: { origin: 'https://shop.example', cookie: 'session=SECRET' },
      body: errorEnvelope({ header: { dsn: `http://${publicKey}@culvert.example/${id}` } }),
    })
    expect((await handle(server.origin, request)).status).toBe(200)
  })
})
