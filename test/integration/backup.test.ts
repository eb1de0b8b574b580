import { closeSync, openSync, readdirSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { runCulvert, startServerProcess } from '#test/server-process.ts'
import { makeTestFolder } from '#test/test-store.ts'
import { addFixtureProject } from '../faults/support/fixture-project.ts'
import { createLedger } from '../faults/support/ledger.ts'
import { sendEvent, startLoad } from '../faults/support/load.ts'
import { readStoreTotals } from '../faults/support/store-totals.ts'

let dataDir: string
let elsewhere: string
beforeEach(async () => {
  dataDir = await makeTestFolder()
  elsewhere = await makeTestFolder()
  await addFixtureProject(dataDir)
})

const run = (...args: string[]) => runCulvert(args, { CULVERT_DATA_DIR: dataDir })
const backupPath = () => join(elsewhere, 'backup.db')

describe('culvert backup and restore', () => {
  it('copy a database during writes, and restore its exact content', async () => {
    const server = await startServerProcess({ dataDir })
    const { origin } = server
    const ledger = createLedger()
    const load = startLoad({ origin, clientCount: 10, ledger, messageBytes: 2_000 })
    await expect.poll(() => ledger.acked.size, { timeout: 60_000 }).toBeGreaterThanOrEqual(200)
    const before = new Set(ledger.acked)
    const made = await run('backup', backupPath())
    await load.stop()
    expect(made).toMatchObject({ code: 0, stderr: '' })
    expect(made.stdout).toMatch(/backup\.db: [\d.]+ [kM]B in [\d.]+ s, every page checked/)
    expect(readdirSync(elsewhere)).toEqual(['backup.db'])

    const rejected = await run('restore', backupPath())
    expect(rejected).toMatchObject({ code: 1 })
    expect(rejected.stderr).toContain('Stop it first')
    await server.end('SIGTERM')
    const sentCount = (await readStoreTotals(dataDir)).ids.length
    const restored = await run('restore', backupPath())
    expect(restored).toMatchObject({ code: 0, stderr: '' })
    const kept = readdirSync(dataDir).filter((name) => /^culvert-replaced-.*\.db$/.test(name))
    expect(kept).toHaveLength(1)
    expect(restored.stdout).toContain(kept[0])

    const { ids, counters, integrity } = await readStoreTotals(dataDir)
    expect(integrity).toBe('ok')
    expect([...before].filter((id) => !ids.includes(id))).toEqual([])
    expect(ids.length).toBeLessThan(sentCount)
    expect(new Set(Object.values(counters))).toEqual(new Set([ids.length]))
    const again = await startServerProcess({ dataDir })
    expect(await sendEvent({ origin: again.origin, ledger })).toBe(200)
    await again.end('SIGTERM')
  })
})

describe('culvert doctor', () => {
  it('shows versions, sizes and settings, and exits with 1 if there is a problem', async () => {
    const sound = await run('doctor')
    expect([sound.code, sound.stderr]).toEqual([0, ''])
    for (const part of [
      'SQLite',
      'Schema',
      'free, rejects below',
      'CULVERT_ORIGIN',
      'project_keys',
      'not in use',
    ])
      expect(sound.stdout).toContain(part)

    const path = join(dataDir, 'culvert.db')
    const file = openSync(path, 'r+')
    writeSync(file, Buffer.alloc(8192, 0xa5), 0, 8192, Math.floor(statSync(path).size / 8192) * 4096)
    closeSync(file)
    const damaged = await run('doctor')
    expect(damaged.code).toBe(1)
    expect(damaged.stderr).toContain('PROBLEM  The database is damaged')
    expect(damaged.stderr).toContain('Restore a backup with "culvert restore FILE"')
  })
})
