import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { limits } from '#server/limits.ts'
import { startServerProcess } from '#test/server-process.ts'
import { makeTestFolder } from '#test/test-store.ts'
import { pause } from '#test/waiting.ts'
import { addFixtureProject } from './support/fixture-project.ts'
import { createLedger, findViolations } from './support/ledger.ts'
import { sendEvent, startLoad } from './support/load.ts'
import { readStoreTotals } from './support/store-totals.ts'

it('the server waits for a file that another process keeps locked, within bounds and without blocking other requests', async () => {
  const dataDir = await makeTestFolder()
  await addFixtureProject(dataDir)
  const server = await startServerProcess({ dataDir })
  const { origin } = server
  const ledger = createLedger()
  expect(await sendEvent({ origin, ledger })).toBe(200)

  // The server may be writing the counts of the event.
  const other = new DatabaseSync(join(dataDir, 'culvert.db'), { timeout: 10_000 })
  other.exec('BEGIN IMMEDIATE')
  const lockedAt = performance.now()
  const early = startLoad({ origin, clientCount: 10, ledger })
  const slowestMs = await slowestAnswer(origin, 4_000)
  expect(ledger.rejected.size).toBe(0)
  // A blocked event loop would have delayed these for the whole time, and a busy machine for less.
  expect(slowestMs).toBeLessThan(limits.storeBusyMs / 2)
  const late = startLoad({ origin, clientCount: 10, ledger })
  await expect.poll(() => ledger.rejected.size, { timeout: 60_000 }).toBeGreaterThanOrEqual(10)
  expect(performance.now() - lockedAt).toBeGreaterThan(limits.storeBusyMs * 0.9)
  other.exec('ROLLBACK')
  other.close()
  await Promise.all([early.stop(), late.stop()])

  expect(new Set(ledger.rejected.values())).toEqual(new Set([429]))
  // The first requests, and those that their clients sent next before the end of the lock; not all 20.
  expect(ledger.rejected.size).toBeGreaterThanOrEqual(10)
  expect(ledger.rejected.size).toBeLessThan(20)
  expect(ledger.acked.size).toBeGreaterThanOrEqual(11)
  expect(await sendEvent({ origin, ledger })).toBe(200)
  expect(await server.end('SIGTERM')).toBe(0)
  expect(findViolations(ledger, await readStoreTotals(dataDir))).toEqual([])
})

/** Sends requests that need no store, repeatedly; returns the milliseconds of the slowest answer. */
async function slowestAnswer(origin: string, durationMs: number): Promise<number> {
  const endsAt = performance.now() + durationMs
  let slowestMs = 0
  while (performance.now() < endsAt) {
    const askedAt = performance.now()
    await fetch(`${origin}/nowhere`)
    slowestMs = Math.max(slowestMs, performance.now() - askedAt)
    await pause(50)
  }
  return slowestMs
}
