import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { buildConsole } from '#test/built-console.ts'
import { randomEventId } from '#test/envelopes.ts'
import { runCulvert, startServerProcess } from '#test/server-process.ts'
import { addOwnerIn, cookieOf } from '#test/session.ts'
import { makeTestFolder } from '#test/test-store.ts'
import { pause } from '#test/waiting.ts'
import { dayMs, hourMs } from '#time/time-steps.ts'
import { addFixtureProject } from './support/fixture-project.ts'
import { createLedger, findViolations } from './support/ledger.ts'
import { sendEvent, startLoad } from './support/load.ts'
import { readStoreTotals } from './support/store-totals.ts'

/** In turn: forward, back before the start, beyond 32 bits of seconds, and right again. */
const jumps = [hourMs, -dayMs, Date.UTC(2038, 0, 20) - Date.now(), 0]

beforeAll(() => buildConsole(), 120_000)

it('a wall clock that jumps loses and deletes nothing, blocks no request, and shows no negative age', async () => {
  const dataDir = await makeTestFolder()
  await addFixtureProject(dataDir)
  await addOwnerIn(dataDir)
  const offsetFile = join(dataDir, 'offset')
  writeFileSync(offsetFile, '0')
  const server = await startServerProcess({
    dataDir,
    args: [],
    nodeArgs: ['--import', join(import.meta.dirname, 'fixtures/movable-clock.ts')],
    variables: { CLOCK_OFFSET_FILE: offsetFile },
  })
  const { origin } = server
  const ledger = createLedger()
  const load = startLoad({ origin, clientCount: 5, ledger })
  for (const offsetMs of jumps) {
    writeFileSync(offsetFile, String(offsetMs))
    // Longer than what the server does each second.
    await pause(1_200)
    const eventId = randomEventId()
    expect(await sendEvent({ origin, ledger, eventId })).toBe(200)
    // An earlier session may have expired at the new time.
    const cookie = await cookieOf(origin)
    for (const path of ['/issues', '/outcomes', `/events/${eventId}`, '/projects']) {
      const page = await fetch(origin + path, { headers: { cookie }, redirect: 'manual' })
      expect([path, page.status]).toEqual([path, 200])
      // An age, as pages format it, with a minus sign; after a colon it is part of a search.
      expect(await page.text()).not.toMatch(/[^\w:-]-\d[\d.]*\s?(min|h|d|mo|y|ms)\b/)
    }
    expect((await fetch(`${origin}/readyz`)).status).toBe(200)
  }
  await load.stop()
  expect(ledger.rejected.size).toBe(0)

  // Changes by another process are read as usual, though the clock was set back.
  const key = randomEventId()
  await runCulvert(['project', 'add', 'Later', '--id', '77', '--key', key], {
    CULVERT_DATA_DIR: dataDir,
  })
  const url = `${origin}/api/77/envelope/?sentry_key=${key}`
  const answer = await fetch(url, { method: 'POST', body: '{}\n{"type":"event"}\n{"message":"a"}' })
  expect(answer.status).toBe(200)

  expect(await server.end('SIGTERM')).toBe(0)
  expect(findViolations(ledger, await readStoreTotals(dataDir))).toEqual([])
})

it('a clock that is set 400 days ahead before the first run of retention is not trusted', async () => {
  const dataDir = await makeTestFolder()
  await addFixtureProject(dataDir)
  const offsetFile = join(dataDir, 'offset')
  writeFileSync(offsetFile, '0')
  const clock = join(import.meta.dirname, 'fixtures/movable-clock.ts')
  const variables = { CLOCK_OFFSET_FILE: offsetFile, NODE_OPTIONS: `--import ${clock}` }
  const server = await startServerProcess({ dataDir, variables })
  const ledger = createLedger()
  const send = async () => {
    for (let count = 0; count < 20; count += 1) await sendEvent({ origin: server.origin, ledger })
  }
  await send()
  writeFileSync(offsetFile, String(400 * dayMs))
  // The server reads the file every 50 ms.
  await pause(200)
  await send()
  const run = (...args: string[]) =>
    runCulvert(['retention', 'run', ...args], { CULVERT_DATA_DIR: dataDir, ...variables })
  const doubted = await run()
  expect(doubted.stdout).toContain('No event was deleted.')
  expect(doubted.stdout).toContain('--trust-clock')
  expect((await run('--dry-run', '--trust-clock')).stdout).toMatch(/events [1-9][0-9]* too old/)
  expect(await server.end('SIGTERM')).toBe(0)
  expect(findViolations(ledger, await readStoreTotals(dataDir))).toEqual([])
})
