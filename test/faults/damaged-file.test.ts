import {
  closeSync,
  cpSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { buildConsole } from '#test/built-console.ts'
import { runCulvert, startServerProcess, type ServerProcess } from '#test/server-process.ts'
import { addOwnerIn, cookieOf } from '#test/session.ts'
import { createTempDir, type TempDir } from '#test/temp-dir.ts'
import { makeTestFolder } from '#test/test-store.ts'
import { addFixtureProject } from './support/fixture-project.ts'
import { createLedger } from './support/ledger.ts'
import { sendEvent, startLoad } from './support/load.ts'
import { readStoreTotals } from './support/store-totals.ts'

/** What a server leaves that stored some events; each test damages a copy. */
let filled: TempDir
let dataDir: string
let path: string
beforeAll(async () => {
  await buildConsole()
  filled = await createTempDir()
  await fill(filled.path)
}, 120_000)
afterAll(() => filled.remove())
beforeEach(async () => {
  dataDir = await makeTestFolder()
  path = join(dataDir, 'culvert.db')
  cpSync(filled.path, dataDir, { recursive: true })
})

/** Starts a server, sends some events and stops it. */
async function fill(folder: string): Promise<void> {
  await addFixtureProject(folder)
  const server = await startServerProcess({ dataDir: folder })
  const ledger = createLedger()
  const load = startLoad({ origin: server.origin, clientCount: 10, ledger, messageBytes: 4_000 })
  // Before any test, where `expect.poll` is not allowed.
  await vi.waitFor(() => expect(ledger.acked.size).toBeGreaterThanOrEqual(300), { timeout: 60_000 })
  await load.stop()
  await server.end('SIGTERM')
}

function overwrite(offset: number, bytes: Buffer): void {
  const file = openSync(path, 'r+')
  writeSync(file, bytes, 0, bytes.length, offset)
  closeSync(file)
}

/** Changes a letter of a column's name in the table, which is also in an index. */
function hurtSchema(): void {
  const bytes = readFileSync(path)
  for (let made = 0; (made = bytes.indexOf('CREATE TABLE outbox (', made + 1)) !== -1;)
    overwrite(bytes.indexOf('failed_at', made) + 8, Buffer.from('u'))
}

function setAsideFiles(): string[] {
  return readdirSync(dataDir).filter((name) => /^culvert-damaged-\d{8}T\d{6}Z\.db$/.test(name))
}

/** Starts a server on the files; ingest must work within 20 s on a busy machine, with the earlier key. */
async function startAndSend(): Promise<ServerProcess> {
  const startedAt = performance.now()
  const server = await startServerProcess({ dataDir })
  expect(await sendEvent({ origin: server.origin, ledger: createLedger() })).toBe(200)
  expect(performance.now() - startedAt).toBeLessThan(20_000)
  return server
}

it('a damaged file is set aside at the start, and SDKs continue with their keys', async () => {
  // So many pages that some of them are in use: the content of an unused page does not matter.
  overwrite(Math.floor(statSync(path).size / 8192) * 4096, Buffer.alloc(64 * 4096, 0xa5))
  const server = await startAndSend()
  const [aside = ''] = setAsideFiles()
  expect(server.log.find((line) => typeof line['damage'] === 'string')).toMatchObject({
    path: join(dataDir, aside),
    salvaged: { projects: 3, project_keys: 3 },
  })
  expect(await server.end('SIGTERM')).toBe(0)
  const { integrity, ids } = await readStoreTotals(dataDir)
  expect({ integrity, count: ids.length }).toEqual({ integrity: 'ok', count: 1 })
})

it.each([
  ['whose schema has a hurt byte', hurtSchema],
  ['without a byte in it', () => truncateSync(path, 0)],
  ['that is gone', () => rmSync(path)],
])('a file %s: SDKs and users continue, and nobody can repeat the setup', async (_what, damage) => {
  await addOwnerIn(dataDir)
  damage()
  const server = await startServerProcess({ dataDir, args: [] })
  expect(await sendEvent({ origin: server.origin, ledger: createLedger() })).toBe(200)
  expect(await cookieOf(server.origin)).toContain('session_token')
  expect(server.stderr()).not.toContain('/setup')
  expect(await (await fetch(`${server.origin}/setup`)).text()).toContain('Culvert is set up')
  await server.end('SIGTERM')
})

it('an empty file without a copy keeps the setup closed, and the log says how to continue', async () => {
  await addOwnerIn(dataDir)
  overwrite(0, Buffer.alloc(statSync(path).size, 0x5a))
  rmSync(join(dataDir, 'culvert-settings.json'))
  for (let start = 0; start < 2; start += 1) {
    const server = await startServerProcess({ dataDir, args: [] })
    expect(server.stderr()).not.toContain('/setup')
    expect(await (await fetch(`${server.origin}/setup`)).text()).toContain('Accounts could not be restored')
    const fields = {
      token: 'any',
      organization: 'Mine',
      name: 'Mallory',
      email: 'm@example.com',
      password: 'a long enough word',
    }
    const answer = await fetch(`${server.origin}/setup`, {
      method: 'POST',
      body: new URLSearchParams(fields),
    })
    expect(await answer.text()).toContain('Accounts could not be restored')
    await server.end('SIGTERM')
  }
  await addOwnerIn(dataDir)
  const server = await startServerProcess({ dataDir, args: [] })
  expect(await cookieOf(server.origin)).toContain('session_token')
  await server.end('SIGTERM')
})

it('damage found while the server runs is logged once, answered with 503, and repaired by the next start', async () => {
  const server = await startServerProcess({ dataDir })
  const { origin } = server
  const ledger = createLedger()
  expect(await sendEvent({ origin, ledger })).toBe(200)
  const half = Math.floor(statSync(path).size / 8192) * 4096
  overwrite(half, Buffer.alloc(half, 0xa5))
  // The pages in the server's cache are sound: another process's write makes it read them again.
  await runCulvert(['project', 'add', 'Another'], { CULVERT_DATA_DIR: dataDir })
  const statuses = new Set<number | undefined>()
  for (let count = 0; count < 20; count += 1) statuses.add(await sendEvent({ origin, ledger }))
  expect([...statuses].filter((status) => status !== 200)).toEqual([429])
  expect(server.log.filter((line) => line['reason'] === 'CORRUPT')).toHaveLength(1)
  expect(await (await fetch(`${origin}/readyz`)).json()).toMatchObject({ problems: ['store_damaged'] })
  await server.end('SIGTERM')

  const next = await startAndSend()
  expect(setAsideFiles()).toHaveLength(1)
  await next.end('SIGTERM')
})
