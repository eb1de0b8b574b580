import { afterAll, describe, expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { onPostgres } from '#test/engine.ts'
import { startServer } from '#test/start-server.ts'

const server = await startServer()
afterAll(() => server.stop())

async function askReady(): Promise<[number, unknown]> {
  const response = await fetch(`${server.origin}/readyz`)
  return [response.status, await response.json()]
}

describe('/healthz', () => {
  it('answers that the process is alive, even without the console', async () => {
    const response = await fetch(`${server.origin}/healthz?deep=1`)
    expect([response.status, await response.json()]).toEqual([
      200,
      { status: 'ok', environment: 'production' },
    ])
  })
})

describe('/readyz', () => {
  // PostgreSQL's is in test/faults/postgres-failures.test.ts.
  it.skipIf(onPostgres)('is 503 while the store cannot be written, and 200 again afterwards', async () => {
    expect(await askReady()).toEqual([200, { status: 'ready' }])
    server.services.store.connection.exec('PRAGMA query_only = ON')
    const timeout = 5 * limits.readinessMaxAgeMs
    await expect
      .poll(askReady, { timeout })
      .toEqual([503, { status: 'not ready', problems: ['store_not_writable'] }])
    expect((await fetch(`${server.origin}/healthz`)).status).toBe(200)
    server.services.store.connection.exec('PRAGMA query_only = OFF')
    await expect.poll(askReady, { timeout }).toEqual([200, { status: 'ready' }])
  })

  it('is never cached, and other methods are rejected', async () => {
    const { headers } = await fetch(`${server.origin}/readyz`)
    expect(headers.get('cache-control')).toBe('no-store')
    expect((await fetch(`${server.origin}/readyz`, { method: 'POST' })).status).toBe(404)
    expect((await fetch(`${server.origin}/readyz`, { method: 'HEAD' })).status).toBe(200)
  })
})
