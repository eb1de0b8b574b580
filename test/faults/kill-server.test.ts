import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { startServerProcess } from '#test/server-process.ts'
import { makeTestFolder } from '#test/test-store.ts'
import { addFixtureProject } from './support/fixture-project.ts'
import { killRepeatedly } from './support/kill-rounds.ts'
import { createLedger, findViolations } from './support/ledger.ts'
import { sendEvent, startLoad } from './support/load.ts'
import { readStoreTotals } from './support/store-totals.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = await makeTestFolder()
  await addFixtureProject(dataDir)
})

describe('kill -9 at random moments under 40 clients', () => {
  it('loses no acknowledged event, stores none twice, and leaves every counter equal to its rows', async () => {
    const ledger = createLedger()
    const { violations } = await killRepeatedly({
      dataDir,
      ledger,
      killCount: 4,
      killsPerLook: 2,
      leastAckedCount: 101,
    })
    expect(violations).toEqual([])
    expect(ledger.acked.size).toBeGreaterThan(100)

    // An SDK without an answer sends again; so does one that did not read it.
    const server = await startServerProcess({ dataDir })
    const again = createLedger()
    for (const eventId of ledger.unknown) await sendEvent({ origin: server.origin, ledger: again, eventId })
    expect(again.acked).toEqual(ledger.unknown)
    expect(await server.end('SIGTERM')).toBe(0)
    const totals = await readStoreTotals(dataDir)
    expect(findViolations(ledger, totals)).toEqual([])
    // A server under overload rejects some.
    expect(totals.ids).toHaveLength(ledger.sent.size - ledger.rejected.size)
  })

  it('fails for a server that answers before the commit', async () => {
    const { violations } = await killRepeatedly({
      dataDir,
      ledger: createLedger(),
      killCount: 20,
      killsPerLook: 1,
      program: join(import.meta.dirname, 'fixtures/hasty-server.ts'),
    })
    expect(violations.join()).toMatch(/acknowledged events are lost/)
  })
})

describe('SIGTERM in the middle of a burst', () => {
  it('answers the requests in flight, has stored what it acknowledged, and exits with 0', async () => {
    const ledger = createLedger()
    const server = await startServerProcess({ dataDir })
    let ended: Promise<number | NodeJS.Signals> | undefined
    const load = startLoad({
      origin: server.origin,
      clientCount: 40,
      ledger,
      onAnswer() {
        if (ledger.acked.size >= 300) ended ??= server.end('SIGTERM')
      },
    })
    await load.isOver
    expect(await ended).toBe(0)
    const totals = await readStoreTotals(dataDir)
    expect(findViolations(ledger, totals)).toEqual([])
    // No connection was cut between the commit and its answer.
    expect(new Set(totals.ids)).toEqual(ledger.acked)
  })
})
