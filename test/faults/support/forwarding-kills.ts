import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import { limits } from '#server/limits.ts'
import { startFakeUpstream } from '#test/fake-upstream.ts'
import { runCulvert, startServerProcess } from '#test/server-process.ts'
import { fixtureProject } from '#test/start-server.ts'
import { makeTestFolder } from '#test/test-store.ts'
import { addFixtureProject } from './fixture-project.ts'
import { killRepeatedly } from './kill-rounds.ts'
import { createLedger, findViolations } from './ledger.ts'
import { readStoreTotals } from './store-totals.ts'

/** Without progress at the upstream: delivering the rest of many short lives can take minutes. */
const stuckMs = 60_000

/** The result of the rounds. */
export interface ForwardingKills {
  ackedCount: number
  /** Distinct envelopes. */
  deliveredCount: number
  /** Arrived again. */
  twiceCount: number
}

/**
 * Kills a forwarding server at random moments under load, and lets the last one finish. Expects that every
 * acknowledged envelope has arrived at the upstream, and none twice except those in flight at a kill.
 */
export async function expectDeliveryThroughKills(killCount: number): Promise<ForwardingKills> {
  const dataDir = await makeTestFolder()
  const upstream = await startFakeUpstream()
  onTestFinished(() => upstream.close())
  await addFixtureProject(dataDir)
  const variables = { CULVERT_ALLOW_PRIVATE_UPSTREAMS: '1' }
  const dsn = `http://${'d'.repeat(32)}@up.example/7`
  const args = ['upstream', 'add', fixtureProject.name, dsn, '--connect', upstream.address]
  const { code, stderr } = await runCulvert(args, { ...variables, CULVERT_DATA_DIR: dataDir })
  if (code !== 0) throw new Error(stderr)

  const ledger = createLedger()
  const { violations } = await killRepeatedly({
    dataDir,
    ledger,
    killCount,
    killsPerLook: 20,
    leastAckedCount: 20 * killCount,
    variables,
  })
  expect(violations).toEqual([])

  const idsOf = () =>
    upstream.requests.map(({ body }) => /"event_id":"([0-9a-f]{32})"/.exec(body.toString())?.[1] ?? '')
  const server = await startServerProcess({ dataDir, variables })
  let arrivedCount = 0
  let arrivedAtMs = performance.now()
  while (performance.now() - arrivedAtMs < stuckMs && !ledger.acked.isSubsetOf(new Set(idsOf()))) {
    await sleep(1_000)
    if (upstream.requests.length > arrivedCount) arrivedAtMs = performance.now()
    arrivedCount = upstream.requests.length
  }
  await server.end('SIGTERM')
  const ids = idsOf()
  const delivered = new Set(ids)
  expect([...ledger.acked.difference(delivered)]).toEqual([])
  expect([...delivered.difference(ledger.sent)]).toEqual([])
  expect(findViolations(ledger, await readStoreTotals(dataDir))).toEqual([])
  // A kill can be during the start, too, and within the round.
  expect(ids.length - delivered.size).toBeLessThanOrEqual(2 * killCount * limits.forwardWindowLate)
  return {
    ackedCount: ledger.acked.size,
    deliveredCount: delivered.size,
    twiceCount: ids.length - delivered.size,
  }
}
