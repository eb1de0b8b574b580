import { expect, it } from 'vitest'
import { mainThreadCpuMs } from '#test/cpu-time.ts'
import { startServerProcess } from '#test/server-process.ts'
import { makeTestFolder } from '#test/test-store.ts'
import { pause } from '#test/waiting.ts'
import { addFixtureProject } from './support/fixture-project.ts'
import { createLedger, findViolations, type Ledger } from './support/ledger.ts'
import { sendEvent } from './support/load.ts'
import { readStoreTotals } from './support/store-totals.ts'

/** Longer than the time after which an item is terminated. */
const suspendedMs = 240
/** Of the processor, so that other work on the machine does not starve the server even more. */
const runningMs = 1
/** A server that waits for something does not use its time. */
const longestRunMs = 60

it('a server that gets 1 ms of the processor at a time stores the first events that it accepts', async () => {
  const dataDir = await makeTestFolder()
  await addFixtureProject(dataDir)
  const server = await startServerProcess({ dataDir })
  const pid = Number(server.log[0]?.['pid'])
  const ledger = createLedger()
  const sending = sendEvents(server.origin, ledger)
  const state = { isSent: false }
  void sending.then(() => (state.isSent = true))
  while (!state.isSent) {
    process.kill(pid, 'SIGSTOP')
    await pause(suspendedMs)
    process.kill(pid, 'SIGCONT')
    await runFor(pid, runningMs)
  }
  expect(ledger.acked.size).toBeGreaterThan(0)
  expect(await server.end('SIGTERM')).toBe(0)
  expect(findViolations(ledger, await readStoreTotals(dataDir))).toEqual([])
})

/** Resolves when the main thread of the process has used that much processor time. */
async function runFor(pid: number, cpuMs: number): Promise<void> {
  const endsAt = performance.now() + longestRunMs
  const cpuBefore = mainThreadCpuMs(pid)
  while (mainThreadCpuMs(pid) < cpuBefore + cpuMs && performance.now() < endsAt) await pause(1)
}

/** A request that is not answered in time is not acknowledged: its event may be stored or not. */
async function sendEvents(origin: string, ledger: Ledger): Promise<void> {
  for (let count = 0; count < 6; count += 1) await sendEvent({ origin, ledger, messageBytes: 400_000 })
}
