import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { buildConsole } from '#test/built-console.ts'
import { startServerProcess } from '#test/server-process.ts'
import { addOwnerIn, cookieOf } from '#test/session.ts'
import { findSmallDiskHindrance, mountSmallDisk, skipNote } from './support/fault-tools.ts'
import { addFixtureProject } from './support/fixture-project.ts'
import { createLedger, findViolations } from './support/ledger.ts'
import { postEvent, sendEvent, startLoad } from './support/load.ts'
import { readStoreTotals } from './support/store-totals.ts'

const hindrance = findSmallDiskHindrance()

beforeAll(() => (hindrance === undefined ? buildConsole() : undefined), 120_000)

const isAboutSpace = (line: Record<string, unknown>) => line['reason'] === 'LOW_SPACE'

it.skipIf(hindrance !== undefined)(
  `a server whose disk fills up rejects events in time, still reads, and writes again once there is space${skipNote(hindrance)}`,
  async () => {
    const disk = mountSmallDisk(64)
    try {
      await addFixtureProject(disk.path)
      await addOwnerIn(disk.path)
      const ballast = join(disk.path, 'ballast')
      writeFileSync(ballast, Buffer.alloc(40 * 1024 * 1024))
      const server = await startServerProcess({ dataDir: disk.path, args: [] })
      const { origin } = server
      const cookie = await cookieOf(origin)
      const ledger = createLedger()
      const load = startLoad({ origin, clientCount: 10, ledger, messageBytes: 6_000 })
      // A busy machine rejects some before: of too many at once.
      await expect.poll(() => ledger.rejected.size, { timeout: 150_000 }).toBeGreaterThanOrEqual(100)
      await expect.poll(() => server.log.some(isAboutSpace), { timeout: 150_000 }).toBe(true)
      // While the disk is kept full: without load, writing the log back may make room for a few more events.
      let rejection = await postEvent(origin, ledger)
      while (rejection.status === 200) rejection = await postEvent(origin, ledger)
      await load.stop()
      expect(new Set(ledger.rejected.values())).toEqual(new Set([429]))
      expect(rejection.status).toBe(429)
      expect(rejection.headers.get('retry-after')).toMatch(/^\d+$/)
      expect(rejection.headers.get('x-sentry-rate-limits')).toMatch(/^\d+::organization:/)

      // SQLite never failed. The log has one line for each time the disk filled up (writing the write-ahead
      // log back may free space in between), not one for each rejection.
      const reasons = server.log.filter((line) => line['level'] === 50).map((line) => line['reason'])
      expect(new Set(reasons)).toEqual(new Set(['LOW_SPACE']))
      const resumptions = server.log.filter(({ msg }) => msg === 'the store can be written again')
      expect(reasons.length).toBeLessThanOrEqual(resumptions.length + 1)
      const page = await fetch(`${origin}/issues`, { headers: { cookie } })
      expect(page.status).toBe(200)
      expect(await page.text()).toContain('RangeError')

      rmSync(ballast)
      const freedAt = performance.now()
      await expect.poll(() => sendEvent({ origin, ledger }), { timeout: 60_000 }).toBe(200)
      expect(performance.now() - freedAt).toBeLessThan(5_000)
      expect(await server.end('SIGTERM')).toBe(0)
      expect(findViolations(ledger, await readStoreTotals(disk.path))).toEqual([])
    } finally {
      disk.remove()
    }
  },
)

it.skipIf(hindrance !== undefined)(
  `a start on a full disk names the disk${skipNote(hindrance)}`,
  async () => {
    const disk = mountSmallDisk(8)
    try {
      const start = () => startServerProcess({ dataDir: disk.path })
      const ballast = join(disk.path, 'ballast')
      const expectRejectedStart = async () => {
        // The kernel writes what fits before it reports that the disk is full.
        expect(() => writeFileSync(ballast, Buffer.alloc(9 * 1024 * 1024))).toThrow('ENOSPC')
        await expect(start()).rejects.toThrow(/ended with 1: The data directory .* Free space on its disk/)
        rmSync(ballast)
      }
      await expectRejectedStart()
      await (await start()).end('SIGTERM')
      await expectRejectedStart()
    } finally {
      disk.remove()
    }
  },
)
