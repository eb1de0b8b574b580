import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { recordClockState } from '#server/retention/clock-state.ts'
import { createCommitter } from '#server/store/ingest/committer.ts'
import { openStore, type Store } from '#server/store/store.ts'
import { runCulvert, startServerProcess } from '#test/server-process.ts'
import { fixtureProject } from '#test/start-server.ts'
import { findBrokenInvariants } from '#test/store-invariants.ts'
import { storedEventIds } from '#test/stored-events.ts'
import { makeEventRecord, testId, makeTestFolder } from '#test/test-store.ts'
import { pause } from '#test/waiting.ts'
import { dayMs } from '#time/time-steps.ts'
import { addFixtureProject } from './support/fixture-project.ts'
import { createLedger } from './support/ledger.ts'
import { startLoad } from './support/load.ts'

const oldEvents = 3_000
const culvert = join(import.meta.dirname, '../../bin/culvert.ts')

let dataDir: string
let path: string
beforeEach(async () => {
  dataDir = await makeTestFolder()
  path = join(dataDir, 'culvert.db')
  await addFixtureProject(dataDir)
})

/** Events of 100 days ago: of a few issues with many, and of many with one, several to a block. */
async function fillWithOldEvents(): Promise<void> {
  const at = Date.now() - 100 * dayMs
  const store = await openStore({ path, clock: () => at })
  const committer = createCommitter(store)
  for (let from = 0; from < oldEvents; from += 20) {
    const events = Array.from({ length: 20 }, (_, index) => {
      const eventId = testId(`old ${from + index}`)
      const issue = index < 15 ? `busy ${index % 3}` : `quiet ${from + index}`
      const payload = Buffer.from(JSON.stringify({ event_id: eventId, text: 'x'.repeat(2_000) }))
      const time = { occurredAt: at + from + index, receivedAt: at }
      return makeEventRecord({
        projectId: fixtureProject.id,
        eventId,
        groupHash: testId(issue),
        payload,
        ...time,
      })
    })
    await committer.commit({ events, outcomes: [], deadLetters: [] })
  }
  await committer.drain()
  // Like a server that runs all the time: after 100 days without a record it would distrust the clock, and
  // delete nothing.
  await recordClockState(store, { trustedAt: Date.now(), doubtedMs: 0 })
  await store.close()
}

function countOldEvents({ connection }: Store): number {
  const row = connection
    .prepare('SELECT count(*) AS n FROM events WHERE received_at < ?')
    .get(Date.now() - dayMs)
  return Number(row?.['n'])
}

/** Starts a run, and kills it soon after its first deletion. */
async function killInTheMiddle(store: Store): Promise<void> {
  const before = countOldEvents(store)
  const child = spawn(process.execPath, [culvert, 'retention', 'run'], {
    env: { ...process.env, CULVERT_DATA_DIR: dataDir },
    stdio: 'ignore',
  })
  const exited = once(child, 'exit')
  const hasBegun = () => child.exitCode !== null || countOldEvents(store) !== before
  await expect.poll(hasBegun, { timeout: 60_000, interval: 2 }).toBe(true)
  await pause(randomInt(60))
  child.kill('SIGKILL')
  await exited
  // The lease of the killed process expires half a minute later.
  await store.writer.deleteFrom('leases').execute()
}

describe('kill -9 in the middle of retention, while events are ingested', () => {
  it('leaves a consistent store each time, and the next run continues', async () => {
    await fillWithOldEvents()
    const server = await startServerProcess({ dataDir })
    const ledger = createLedger()
    const load = startLoad({ origin: server.origin, clientCount: 4, ledger })
    const store = await openStore({ path, clock: Date.now })
    const left = [countOldEvents(store)]
    for (let kill = 0; kill < 3; kill += 1) {
      await killInTheMiddle(store)
      left.push(countOldEvents(store))
    }
    await load.stop()
    expect(findBrokenInvariants(store)).toEqual([])
    expect(left[0]).toBe(oldEvents)
    expect(new Set(left).size).toBeGreaterThan(2)

    const finished = await runCulvert(['retention', 'run'], { CULVERT_DATA_DIR: dataDir })
    expect(finished).toMatchObject({ code: 0, stderr: '' })
    expect(await server.end('SIGTERM')).toBe(0)
    expect(findBrokenInvariants(store)).toEqual([])
    expect(await storedEventIds(store, fixtureProject.id)).toEqual([...ledger.acked].toSorted())
    const integrity = store.connection.prepare('PRAGMA integrity_check').get()
    expect(integrity).toEqual({ integrity_check: 'ok' })
    await store.close()
  })
})
