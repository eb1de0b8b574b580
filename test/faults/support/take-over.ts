import { expect, onTestFinished } from 'vitest'
import { limits } from '#server/limits.ts'
import { startFakeUpstream } from '#test/fake-upstream.ts'
import { runCulvert, startServerProcess } from '#test/server-process.ts'
import { fixtureProject } from '#test/start-server.ts'
import { makeTestFolder } from '#test/test-store.ts'
import { addFixtureProject } from './fixture-project.ts'
import { createLedger, findViolations } from './ledger.ts'
import { startLoad } from './load.ts'
import { readStoreTotals } from './store-totals.ts'

/**
 * Runs two servers on one data directory under load, ends the one that forwards, and expects the other one to
 * continue: every acknowledged envelope arrives, and none twice except those in flight.
 */
export async function expectTakeOver(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  const dataDir = await makeTestFolder()
  const upstream = await startFakeUpstream()
  onTestFinished(() => upstream.close())
  await addFixtureProject(dataDir)
  const variables = { CULVERT_DATA_DIR: dataDir, CULVERT_ALLOW_PRIVATE_UPSTREAMS: '1' }
  const dsn = `http://${'d'.repeat(32)}@up.example/7`
  const args = ['upstream', 'add', fixtureProject.name, dsn, '--connect', upstream.address]
  expect(await runCulvert(args, variables)).toMatchObject({ code: 0 })
  const first = await startServerProcess({ dataDir, variables })
  const second = await startServerProcess({ dataDir, variables })

  const ledger = createLedger()
  const loads = [first, second].map(({ origin }) => startLoad({ origin, clientCount: 10, ledger }))
  await expect.poll(() => ledger.acked.size, { timeout: 30_000 }).toBeGreaterThan(100)
  await expect.poll(() => upstream.requests.length, { timeout: 30_000 }).toBeGreaterThan(20)
  await first.end(signal)
  const sentByFirst = upstream.requests.length
  // A server that stops releases its lease; that of a killed one has to expire.
  const timeout = signal === 'SIGTERM' ? limits.leaseMs / 2 : 2 * limits.leaseMs
  await expect
    .poll(() => upstream.requests.length, { timeout })
    .toBeGreaterThan(sentByFirst + limits.forwardWindowLate)
  await Promise.all(loads.map((load) => load.stop()))

  const arrived = () =>
    upstream.requests.map(({ body }) => /"event_id":"([0-9a-f]{32})"/.exec(body.toString())?.[1] ?? '')
  await expect
    .poll(() => ledger.acked.difference(new Set(arrived())).size, { timeout: 60_000, interval: 500 })
    .toBe(0)
  expect(await second.end('SIGTERM')).toBe(0)
  const ids = arrived()
  // The envelopes in flight of the killed one; a lease that expired meanwhile would allow as many again.
  expect(ids.length - new Set(ids).size).toBeLessThanOrEqual(2 * limits.forwardWindowLate)
  expect(findViolations(ledger, await readStoreTotals(dataDir))).toEqual([])
}
