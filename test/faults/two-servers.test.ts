import { expect, it } from 'vitest'
import { runCulvert, startServerProcess } from '#test/server-process.ts'
import { makeTestFolder } from '#test/test-store.ts'
import { addFixtureProject } from './support/fixture-project.ts'
import { createLedger, findViolations } from './support/ledger.ts'
import { startLoad } from './support/load.ts'
import { readStoreTotals } from './support/store-totals.ts'
import { expectTakeOver } from './support/take-over.ts'

it('two servers on one file lose nothing and count nothing twice, and DSNs name the first until it ends', async () => {
  const dataDir = await makeTestFolder()
  await addFixtureProject(dataDir)
  const first = await startServerProcess({ dataDir })
  const second = await startServerProcess({ dataDir })
  await expect.poll(second.stderr).toContain('Another process has this data open')
  expect(first.stderr()).not.toContain('Another process')
  const listed = async () => (await runCulvert(['project', 'list'], { CULVERT_DATA_DIR: dataDir })).stdout
  expect(await listed()).toContain(hostOf(first))

  // The same events to both, like a retrying proxy: the second to commit has a duplicate.
  const ledger = createLedger()
  const loads = [first, second].map(({ origin }) => startLoad({ origin, clientCount: 10, ledger }))
  await expect.poll(() => ledger.acked.size, { timeout: 60_000 }).toBeGreaterThan(1_000)
  await Promise.all(loads.map((load) => load.stop()))
  // A server on a busy machine accepts less.
  expect([...ledger.rejected.values()].filter((status) => status !== 429)).toEqual([])

  expect(await first.end('SIGTERM')).toBe(0)
  await expect.poll(listed, { timeout: 60_000, interval: 200 }).toContain(hostOf(second))
  expect(await second.end('SIGTERM')).toBe(0)
  expect(findViolations(ledger, await readStoreTotals(dataDir))).toEqual([])
})

it('two servers share the forwarding to one upstream: one at a time, and the other one as soon as that one stops', async () => {
  await expectTakeOver('SIGTERM')
}, 120_000)

/** The format of a DSN. */
function hostOf({ origin }: { origin: string }): string {
  return `@${new URL(origin).host}/`
}
