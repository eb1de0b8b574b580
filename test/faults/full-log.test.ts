import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { makeTestFolder } from '#test/test-store.ts'
import { skipNote } from './support/fault-tools.ts'
import { addFixtureProject } from './support/fixture-project.ts'
import { createLedger, findViolations } from './support/ledger.ts'
import { sendEvent } from './support/load.ts'
import { readStoreTotals } from './support/store-totals.ts'

const fullDevice = '/dev/full'
const hindrance = existsSync(fullDevice) ? undefined : `there is no ${fullDevice}`

it.skipIf(hindrance !== undefined)(
  `a server whose log is on a full disk, without a temporary folder, accepts events and ends on SIGTERM${skipNote(hindrance)}`,
  async () => {
    const dataDir = await makeTestFolder()
    await addFixtureProject(dataDir)
    const log = await open(fullDevice, 'w')
    const culvert = join(import.meta.dirname, '../../bin/culvert.ts')
    const child = spawn(process.execPath, [culvert, 'start', '--ingest-only'], {
      env: {
        ...process.env,
        PORT: '0',
        CULVERT_DATA_DIR: dataDir,
        TMPDIR: join(dataDir, 'nowhere'),
      },
      stdio: ['ignore', log.fd, 'pipe'],
    })
    const exited = once(child, 'exit')
    onTestFinished(() => void child.kill('SIGKILL'))
    let stderr = ''
    for await (const chunk of child.stderr ?? []) {
      stderr += String(chunk)
      if (stderr.includes('runs at')) break
    }
    const origin = /http:\S+/.exec(stderr)?.[0] ?? ''
    const ledger = createLedger()
    for (let sent = 0; sent < 50; sent += 1) {
      expect(await sendEvent({ origin, ledger, messageBytes: 1_000 })).toBe(200)
    }
    child.kill('SIGTERM')
    expect(await exited).toEqual([0, null])
    await log.close()
    expect(findViolations(ledger, await readStoreTotals(dataDir))).toEqual([])
  },
)

it.skipIf(hindrance !== undefined)(
  `log lines beyond the buffer are dropped silently${skipNote(hindrance)}`,
  async () => {
    const log = await open(fullDevice, 'w')
    const script = `
      const { createLog } = await import('#server/log.ts')
      const log = createLog('info')
      for (let line = 0; line < 10_000; line += 1) log.info({ line }, 'a line of some length')
      process.exitCode = 7`
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: join(import.meta.dirname, '../..'),
      stdio: ['ignore', log.fd, 'pipe'],
      encoding: 'utf8',
      timeout: 20_000,
    })
    await log.close()
    expect({ status, stderr }).toEqual({ status: 7, stderr: '' })
  },
)
