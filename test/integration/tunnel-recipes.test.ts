import { createServer } from 'node:http'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { toIdBytes } from '#server/store/binary-id.ts'
import { updateProjectSettings } from '#server/store/projects/settings.ts'
import { startCrumbsApp } from '#test/crumbs-app.ts'
import { errorEnvelope, randomEventId } from '#test/envelopes.ts'
import { answerWith, startFakeUpstream } from '#test/fake-upstream.ts'
import { serveLocally } from '#test/listen-locally.ts'
import { createExpressApp, readRecipe } from '#test/recipe.ts'
import { findProxyProgram, startCaddy, startNginx } from '#test/reverse-proxies.ts'
import { fixtureProject, startServer } from '#test/start-server.ts'

const { id, publicKey } = fixtureProject
const nginx = findProxyProgram('nginx')
const caddy = findProxyProgram('caddy')

const stops: (() => Promise<unknown>)[] = []
const server = await startServer()
await updateProjectSettings(server.services.store, id, () => ({ allowedOrigins: ['https://shop.example'] }))
await server.services.projectKeys.refresh()
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})
afterAll(() => server.stop())

/** Reports like a page of the shop, and returns the stored events. */
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
  const row = server.services.store.connection
    .prepare('SELECT client_address FROM events WHERE event_id = ?')
    .get(toIdBytes(eventId))
  return { status: answer.status, clientAddress: row?.['client_address'] }
}

/** A recipe for a Culvert at this origin. */
function recipeFor(heading: string, origin: string): string {
  return readRecipe(heading).replace('127.0.0.1:3000', new URL(origin).host)
}

/**
 * The requirements for every application in front of the tunnel: forward the envelope, the address and the
 * limits, and neither cookies nor keys; and answer 502, without an error of its own, while Culvert is down.
 */
async function expectTransparency(open: (culvert: string) => Promise<string>): Promise<void> {
  expect(await report(await open(server.origin))).toEqual({ status: 200, clientAddress: '127.0.0.1' })

  const limited = await startFakeUpstream(answerWith(429, { 'x-sentry-rate-limits': '60:error:key' }))
  const application = await open(`http://${limited.address}`)
  const send = () =>
    fetch(`${application}/crumbs?o=1&p=2`, {
      method: 'POST',
      headers: { cookie: 'SECRET', authorization: 'SECRET', 'user-agent': 'Browser/1.0' },
      body: 'a',
    })
  const answer = await send()
  expect([answer.status, answer.headers.get('x-sentry-rate-limits')]).toEqual([429, '60:error:key'])
  expect(limited.requests).toMatchObject([
    {
      url: '/monitoring?o=1&p=2',
      body: Buffer.from('a'),
      headers: { 'user-agent': 'Browser/1.0', 'x-forwarded-for': '127.0.0.1' },
    },
  ])
  expect(JSON.stringify(limited.requests[0]?.rawHeaders)).not.toContain('SECRET')
  await limited.close()
  expect((await send()).status).toBe(502)
}

describe('the tunnel on the origin of another application', () => {
  it.skipIf(nginx === undefined)('nginx (skipped without it and its Debian package)', async () => {
    const proxy = await startNginx(nginx ?? '', { recipe: recipeFor('nginx', server.origin) })
    stops.push(() => proxy.stop())
    expect(await report(proxy.origin)).toEqual({ status: 200, clientAddress: '127.0.0.1' })
  })

  it.skipIf(caddy === undefined)('Caddy (skipped without it and its Debian package)', async () => {
    const proxy = await startCaddy(caddy ?? '', { recipe: recipeFor('Caddy', server.origin) })
    stops.push(() => proxy.stop())
    expect(await report(proxy.origin)).toEqual({ status: 200, clientAddress: '127.0.0.1' })
  })

  it('Express', () =>
    expectTransparency(async (culvert) => {
      const shop = await serveLocally(createServer(createExpressApp(culvert)))
      stops.push(shop.close)
      return shop.origin
    }))

  it('TanStack Start', { timeout: 120_000 }, () =>
    expectTransparency(async (culvert) => {
      const app = await startCrumbsApp({ recipe: recipeFor('TanStack Start', culvert) })
      stops.push(() => app.stop())
      return app.origin
    }),
  )
})
