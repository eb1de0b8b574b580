import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { startServerProcess } from '#test/server-process.ts'
import { makeTestFolder } from '#test/test-store.ts'
import { findTracerHindrance, skipNote } from './support/fault-tools.ts'
import { addFixtureProject } from './support/fixture-project.ts'
import { createLedger, findViolations } from './support/ledger.ts'
import { sendEvent, type SendOptions, startLoad } from './support/load.ts'
import { readStoreTotals } from './support/store-totals.ts'

const hindrance = findTracerHindrance()

let dataDir: string
beforeEach(async () => {
  dataDir = await makeTestFolder()
  await addFixtureProject(dataDir)
})

/** Makes the kernel fail the given calls of the server's process with EIO. */
function failing(calls: string, when: string): string[] {
  const traced = ['-o', tracePath(), '-e', `trace=${calls},ftruncate`]
  return ['strace', '-f', '-qq', '--seccomp-bpf', ...traced, '-e', `inject=${calls}:error=EIO:when=${when}`]
}

it.skipIf(hindrance !== undefined)(
  `a failed fsync is never answered 200, and the log is rewritten before anything else is accepted${skipNote(hindrance)}`,
  async () => {
    const wrapper = failing('fsync', '40..120+8')
    const server = await startServerProcess({ dataDir, wrapper })
    const { origin } = server
    const ledger = createLedger()
    const load = startLoad({ origin, clientCount: 10, ledger })
    await expect.poll(countFailures, { timeout: 60_000 }).toBeGreaterThan(3)
    await load.stop()
    await expectToAccept({ origin, ledger })
    expect(new Set(ledger.rejected.values())).toEqual(new Set([429]))
    expect(server.log.map((line) => line['msg'])).toContain('the store can be written again')
    expect(await server.end('SIGKILL')).toBe('SIGKILL')
    // The checkpoint that wrote the log into the database has emptied it.
    const sinceLastFailure = (await readTrace()).split('INJECTED').at(-1) ?? ''
    expect(/ftruncate\(\d+, 0\) += 0/.test(sinceLastFailure)).toBe(true)
    expect(findViolations(ledger, await readStoreTotals(dataDir))).toEqual([])
  },
)

it.skipIf(hindrance !== undefined)(`a failed write is never answered 200${skipNote(hindrance)}`, async () => {
  const server = await startServerProcess({
    dataDir,
    wrapper: failing('pwrite64', '300..900+50'),
  })
  const { origin } = server
  const ledger = createLedger()
  const load = startLoad({ origin, clientCount: 10, ledger })
  await expect.poll(countFailures, { timeout: 60_000 }).toBeGreaterThan(3)
  await load.stop()
  await expectToAccept({ origin, ledger })
  expect(await server.end('SIGKILL')).toBe('SIGKILL')
  expect(new Set(ledger.rejected.values())).toEqual(new Set([429]))
  expect(findViolations(ledger, await readStoreTotals(dataDir))).toEqual([])
})

const countFailures = async () => (await readTrace()).split('INJECTED').length - 1

function expectToAccept(to: SendOptions): Promise<void> {
  return expect.poll(() => sendEvent(to), { timeout: 60_000, interval: 100 }).toBe(200)
}

function tracePath(): string {
  return join(dataDir, 'trace')
}

function readTrace(): Promise<string> {
  return readFile(tracePath(), 'utf8')
}
