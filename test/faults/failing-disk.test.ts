import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startServerProcess } from '../support/server-process.ts'
import { createTempDir, type TempDir } from '../support/temp-dir.ts'
import { findTracerHindrance, skipNote } from './support/fault-tools.ts'
import { addFixtureProject } from './support/fixture-project.ts'
import { createLedger, findViolations } from './support/ledger.ts'
import { sendEvent, startLoad } from './support/load.ts'
import { readStoreTotals } from './support/store-totals.ts'

const hindrance = findTracerHindrance()

let dataDir: TempDir
beforeEach(async () => {
  dataDir = await createTempDir()
  await addFixtureProject(dataDir.path)
})
afterEach(() => dataDir.remove())

/** Makes the kernel fail the given calls of the server's process with EIO. */
function failing(calls: string, when: string): string[] {
  const traced = ['-o', tracePath(), '-e', `trace=${calls},ftruncate`]
  return ['strace', '-f', '-qq', '--seccomp-bpf', ...traced, '-e', `inject=${calls}:error=EIO:when=${when}`]
}

it.skipIf(hindrance !== undefined)(
  `a failed fsync is never answered 200, and the log is rewritten before anything else is accepted${skipNote(hindrance)}`,
  async () => {
    const wrapper = failing('fsync', '40..120+8')
    const server = await startServerProcess({ dataDir: dataDir.path, wrapper })
    const { origin } = server
    const ledger = createLedger()
    const load = startLoad({ origin, clientCount: 10, ledger })
    while (!(await readTrace()).includes('INJECTED')) await sleep(50)
    await sleep(2_000)
    await load.stop()
    while ((await sendEvent({ origin, ledger })) !== 200) await sleep(100)
    expect(new Set(ledger.rejected.values())).toEqual(new Set([429]))
    expect(server.log.map((line) => line['msg'])).toContain('the store can be written again')
    expect(await server.end('SIGKILL')).toBe('SIGKILL')
    // The checkpoint that wrote the log into the database has emptied it.
    const sinceLastFailure = (await readTrace()).split('INJECTED').at(-1) ?? ''
    expect(/ftruncate\(\d+, 0\) += 0/.test(sinceLastFailure)).toBe(true)
    expect(findViolations(ledger, await readStoreTotals(dataDir.path))).toEqual([])
  },
)

it.skipIf(hindrance !== undefined)(`a failed write is never answered 200${skipNote(hindrance)}`, async () => {
  const server = await startServerProcess({
    dataDir: dataDir.path,
    wrapper: failing('pwrite64', '300..900+50'),
  })
  const { origin } = server
  const ledger = createLedger()
  const load = startLoad({ origin, clientCount: 10, ledger })
  while (ledger.rejected.size === 0) await sleep(50)
  await sleep(3_000)
  await load.stop()
  while ((await sendEvent({ origin, ledger })) !== 200) await sleep(100)
  expect(await server.end('SIGKILL')).toBe('SIGKILL')
  expect(new Set(ledger.rejected.values())).toEqual(new Set([429]))
  expect(findViolations(ledger, await readStoreTotals(dataDir.path))).toEqual([])
})

function tracePath(): string {
  return join(dataDir.path, 'trace')
}

function readTrace(): Promise<string> {
  return readFile(tracePath(), 'utf8')
}
