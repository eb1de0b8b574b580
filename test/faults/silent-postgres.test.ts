import { expect, it, onTestFinished } from 'vitest'
import { limits } from '#server/limits.ts'
import { openStore } from '#server/store/store.ts'
import { findPostgresPrograms, startPostgresCluster } from '#test/postgres-cluster.ts'
import { startServerProcess } from '#test/server-process.ts'
import { addUser, cookieOf } from '#test/session.ts'
import { makeTestFolder } from '#test/test-store.ts'
import { pause } from '#test/waiting.ts'
import { skipNote } from './support/fault-tools.ts'
import { addFixtureProject } from './support/fixture-project.ts'
import { createLedger } from './support/ledger.ts'
import { postEvent, sendEvent, startLoad } from './support/load.ts'
import { findPostgresViolations } from './support/process-kills.ts'

const hindrance = findPostgresPrograms() === undefined ? 'no PostgreSQL is installed' : undefined
const metricsToken = 'a-token-for-tests'
const silentMs = limits.postgresProbeAfterMs + limits.postgresProbeMs
/** Far below the time for which a server without a watch would block, even on a busy machine. */
const atOnceMs = 5_000

async function startSilenced() {
  const cluster = await startPostgresCluster({ isDurable: true })
  onTestFinished(() => cluster.stop())
  const dataDir = await makeTestFolder()
  const url = await cluster.createDatabase('silent')
  const variables = { DATABASE_URL: url, CULVERT_METRICS_TOKEN: metricsToken }
  await addFixtureProject(dataDir, variables)
  const store = await openStore({ path: url })
  await addUser(store)
  await store.close()
  const server = await startServerProcess({ dataDir, args: [], variables })
  const cookie = await cookieOf(server.origin)
  const ask = async (path: string) => {
    const beganAt = performance.now()
    const token = path === '/metrics' && { authorization: `Bearer ${metricsToken}` }
    const answer = await fetch(`${server.origin}${path}`, {
      headers: { cookie, ...token },
      redirect: 'manual',
    })
    const { status, headers } = answer
    const text = await answer.text()
    return { status, text, retryAfter: headers.get('retry-after'), tookMs: performance.now() - beganAt }
  }
  return { cluster, url, server, ask }
}

/** Requests `/healthz` until it is stopped; resolves with the milliseconds of the slowest answer. */
function watchHealth(ask: (path: string) => Promise<{ status: number; tookMs: number }>) {
  const stopping = new AbortController()
  const watching = (async () => {
    let slowestMs = 0
    while (!stopping.signal.aborted) {
      const { status, tookMs } = await ask('/healthz')
      slowestMs = Math.max(slowestMs, status === 200 ? tookMs : Infinity)
      await pause(20)
    }
    return slowestMs
  })()
  return {
    stop() {
      stopping.abort()
      return watching
    },
  }
}

it.skipIf(hindrance !== undefined)(
  `a server whose PostgreSQL is suspended answers every request immediately, recovers, and loses nothing${skipNote(hindrance)}`,
  async () => {
    const { cluster, url, server, ask } = await startSilenced()
    const { origin } = server
    const ledger = createLedger()
    const load = startLoad({ origin, clientCount: 6, ledger })
    for (let round = 0; round < 2; round += 1) {
      const before = ledger.acked.size
      await expect.poll(() => ledger.acked.size, { timeout: 60_000 }).toBeGreaterThan(before + 50)
      expect((await ask('/issues')).status).toBe(200)
      await cluster.suspend()
      const health = watchHealth(ask)
      const rejectedBefore = ledger.rejected.size
      await expect.poll(() => ledger.rejected.size, { timeout: 60_000 }).toBeGreaterThan(rejectedBefore)
      await expect.poll(async () => (await ask('/issues')).status, { timeout: 60_000 }).toBe(503)
      for (const path of ['/issues', '/api/0/projects/', '/readyz', '/issues']) {
        const { status, retryAfter, tookMs } = await ask(path)
        expect.soft(`${path} ${status} ${retryAfter}`).toMatch(/503 (?:\d+|null)$/)
        expect.soft(tookMs).toBeLessThan(atOnceMs)
      }
      const metrics = await ask('/metrics')
      expect.soft(metrics.status).toBe(200)
      expect.soft(metrics.tookMs).toBeLessThan(atOnceMs)
      expect.soft(metrics.text).toMatch(/^culvert_database_up 0$/m)
      expect.soft(metrics.text).toMatch(/^process_resident_memory_bytes \d+$/m)
      expect.soft(metrics.text).not.toMatch(/^culvert_(?:database_bytes|dead_letters)/m)
      const rejection = await postEvent(origin, ledger)
      expect(rejection.status).toBe(429)
      expect(rejection.headers.get('retry-after')).toMatch(/^\d+$/)
      expect(await health.stop()).toBeLessThan(silentMs + atOnceMs)
      await cluster.resume()
      await expect.poll(() => sendEvent({ origin, ledger }), { timeout: 60_000 }).toBe(200)
      await expect.poll(async () => (await ask('/issues')).status, { timeout: 60_000 }).toBe(200)
      await expect.poll(async () => (await ask('/readyz')).status, { timeout: 60_000 }).toBe(200)
      expect((await ask('/metrics')).text).toMatch(/^culvert_database_up 1$/m)
    }
    await load.stop()
    expect([...new Set(ledger.rejected.values())]).toEqual([429])
    expect(await server.end('SIGTERM')).toBe(0)
    expect(await findPostgresViolations({ url, ledger })).toEqual([])
  },
)

it.skipIf(hindrance !== undefined)(
  `a server whose PostgreSQL is suspended ends in time${skipNote(hindrance)}`,
  async () => {
    const { cluster, server, ask } = await startSilenced()
    // Several connections of the pool, which are unused then.
    await Promise.all(Array.from({ length: 8 }, () => ask('/issues')))
    await cluster.suspend()
    await expect.poll(async () => (await ask('/issues')).status, { timeout: 60_000 }).toBe(503)
    const beganAt = performance.now()
    expect(await server.end('SIGTERM')).toBe(0)
    expect(performance.now() - beganAt).toBeLessThan(limits.drainMs + silentMs + atOnceMs)
  },
)
