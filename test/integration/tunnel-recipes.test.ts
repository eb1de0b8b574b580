import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import { createServer as createSocketServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { updateProjectSettings } from '#server/store/project-settings.ts'
import { errorEnvelope, randomEventId } from '../support/envelopes.ts'
import { answerWith, startFakeUpstream } from '../support/fake-upstream.ts'
import { createExpressApp, readRecipe } from '../support/recipe.ts'
import { fixtureProject, startServer, type TestServer } from '../support/start-server.ts'
import { createTempDir } from '../support/temp-dir.ts'

const { id, publicKey } = fixtureProject
const nginx = ['/usr/sbin/nginx', '/usr/bin/nginx'].find((path) => spawnSync(path, ['-v']).status === 0)
const caddy = ['/usr/bin/caddy', '/usr/local/bin/caddy'].find(
  (path) => spawnSync(path, ['version']).status === 0,
)

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

async function freePort(): Promise<number> {
  const probe = createSocketServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const bound = probe.address()
  probe.close()
  return typeof bound === 'object' && bound !== null ? bound.port : 0
}

describe('the tunnel on the origin of another application', () => {
  it.skipIf(nginx === undefined)(
    'is passed on to by nginx (skipped where nginx is not installed)',
    async () => {
      const folder = await createTempDir()
      const port = await freePort()
      const location = readRecipe('nginx').replace('http://127.0.0.1:3000', server.origin)
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
        const isGone = once(child, 'exit')
        if (child.exitCode === null && child.kill('SIGTERM')) await isGone
        await folder.remove()
      })
      await expect
        .poll(() => report(`http://127.0.0.1:${port}`).catch(() => undefined), { timeout: 10_000 })
        .toEqual({ status: 200, clientAddress: '127.0.0.1' })
    },
  )

  it.skipIf(caddy === undefined)(
    'is passed on to by Caddy (skipped where Caddy is not installed)',
    async () => {
      const folder = await createTempDir()
      const port = await freePort()
      const config = `{\n admin off\n auto_https off\n}\n:${port} {\n bind 127.0.0.1\n${readRecipe('Caddy').replace('127.0.0.1:3000', new URL(server.origin).host)}}`
      await writeFile(join(folder.path, 'Caddyfile'), config)
      const child = spawn(
        caddy ?? '',
        ['run', '--config', join(folder.path, 'Caddyfile'), '--adapter', 'caddyfile'],
        { stdio: 'ignore', env: { HOME: folder.path } },
      )
      stops.push(async () => {
        const isGone = once(child, 'exit')
        if (child.exitCode === null && child.kill('SIGTERM')) await isGone
        await folder.remove()
      })
      await expect
        .poll(() => report(`http://127.0.0.1:${port}`).catch(() => undefined), { timeout: 10_000 })
        .toEqual({ status: 200, clientAddress: '127.0.0.1' })
    },
  )

  it('is passed on to by Express, which tells of limits and takes no cookie along', async () => {
    const shop = createExpressApp(server.origin).listen(0, '127.0.0.1')
    expect(await report(await originOf(shop))).toEqual({ status: 200, clientAddress: '127.0.0.1' })

    const limited = await startFakeUpstream(answerWith(429, { 'x-sentry-rate-limits': '60:error:key' }))
    const tellingShop = createExpressApp(`http://${limited.address}`).listen(0, '127.0.0.1')
    const answer = await fetch(`${await originOf(tellingShop)}/crumbs?o=1&p=2`, {
      method: 'POST',
      headers: { cookie: 'SECRET', authorization: 'SECRET' },
      body: 'a',
    })
    expect([answer.status, answer.headers.get('x-sentry-rate-limits')]).toEqual([429, '60:error:key'])
    expect(limited.requests).toMatchObject([{ url: '/monitoring?o=1&p=2', body: Buffer.from('a') }])
    expect(JSON.stringify(limited.requests[0]?.rawHeaders)).not.toContain('SECRET')
    await limited.close()
    // Nobody there any more.
    const orphan = await fetch(`${await originOf(tellingShop)}/crumbs`, { method: 'POST', body: 'a' })
    expect(orphan.status).toBe(502)
  })

  it('is passed on to by a route of TanStack Start, as it stands in the documentation', async () => {
    const [, body = ''] =
      /POST: async \(\{ request \}\) => \{([^]*?)\n {6}\},/.exec(readRecipe('TanStack Start')) ?? []
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

async function originOf(shop: Server): Promise<string> {
  if (!shop.listening) {
    await once(shop, 'listening')
    stops.push(async () => {
      shop.closeAllConnections()
      shop.close()
    })
  }
  const bound = shop.address()
  return `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : 0}`
}
