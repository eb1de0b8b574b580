import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startServerProcess } from '#test/server-process.ts'
import { makeTestFolder } from '#test/test-store.ts'
import { pause } from '#test/waiting.ts'
import { fillStore } from '../../bench/reads/fill-store.ts'
import { benchProject } from '../../bench/support/project.ts'
import { createLedger } from './support/ledger.ts'
import { sendEvent, startLoad } from './support/load.ts'

it('a server killed with a million events answers the first one less than 2 s after its restart', async () => {
  const dataDir = await makeTestFolder()
  await fillStore({ path: join(dataDir, 'culvert.db'), eventCount: 1_000_000, issueCount: 20_000 })
  const startsMs: number[] = []
  for (let round = 0; round < 3; round += 1) {
    const startedAt = performance.now()
    const server = await startServerProcess({ dataDir })
    const { origin } = server
    const ledger = createLedger()
    expect(await sendEvent({ origin, ledger, project: benchProject })).toBe(200)
    startsMs.push(performance.now() - startedAt)
    // Leaves a write-ahead log for the next start to read.
    const load = startLoad({ origin, clientCount: 40, ledger, project: benchProject })
    await pause(3_000)
    await server.end('SIGKILL')
    await load.isOver
  }
  expect(Math.min(...startsMs)).toBeLessThan(2_000)
})
