import { createServer } from 'node:http'
import { expect, it, onTestFinished } from 'vitest'
import type { UptimeSettings } from '#monitors/uptime.ts'
import { recordNewMonitor } from '#server/store/monitors/changes.ts'
import { createProject } from '#server/store/projects/projects.ts'
import { openStore, type Store } from '#server/store/store.ts'
import { serveLocally } from '#test/listen-locally.ts'
import { findPostgresPrograms, startPostgresCluster } from '#test/postgres-cluster.ts'
import { startServerProcess } from '#test/server-process.ts'
import { makeTestFolder } from '#test/test-store.ts'
import { countRows, endMonitorLease, readMonitorEnds, type MonitorEnds } from './support/monitor-store.ts'

const hindrance = findPostgresPrograms() === undefined ? ' (skipped: no PostgreSQL is installed)' : ''

const monitorCount = 120
/** Slots of each monitor that are due at the start: 30 seconds ago, and now. */
const dueSlots = 2
const intervalMs = 30_000
const rounds = 3

it('two servers on SQLite that are killed end each slot of a check once', async () => {
  expectOneEndEach(await killInChecks())
}, 120_000)

it.skipIf(hindrance !== '')(
  `two servers on PostgreSQL that are killed end each slot of a check once${hindrance}`,
  async () => {
    const cluster = await startPostgresCluster()
    onTestFinished(() => cluster.stop())
    expectOneEndEach(await killInChecks(await cluster.createDatabase('monitors')))
  },
  180_000,
)

/** The final content of the database. */
interface Outcome extends MonitorEnds {
  /** The first slot of each monitor. */
  firstAt: number
}

function expectOneEndEach({ ends, slots, failureCount, eventCount, countedEnds, firstAt }: Outcome): void {
  expect(slots.size).toBe(monitorCount)
  for (const times of slots.values()) {
    expect(times).toEqual(times.map((_time, index) => firstAt + index * intervalMs))
    expect(times.length).toBeGreaterThanOrEqual(dueSlots)
  }
  expect(failureCount).toBeGreaterThan(0)
  // Each failure is an event, stored once.
  expect(eventCount).toBe(failureCount)
  expect(countedEnds).toBe(ends.length)
}

/** Kills one server in each round, while checks are running. */
async function killInChecks(databaseUrl?: string): Promise<Outcome> {
  const dataDir = await makeTestFolder()
  const checked = await startChecked()
  const store = await openStore({ path: databaseUrl ?? `${dataDir}/culvert.db` })
  onTestFinished(() => store.close())
  const projectId = 7
  await createProject(store, { id: projectId, name: 'Shop' })
  const variables = {
    CULVERT_ALLOW_PRIVATE_DESTINATIONS: '127.0.0.1',
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
  }
  const start = () => startServerProcess({ dataDir, variables })
  const servers = await Promise.all([start(), start()])
  const firstAt = Date.now() - (dueSlots - 1) * intervalMs
  for (let number = 0; number < monitorCount; number += 1) {
    // Every second one fails.
    const settings = settingsOf(`${checked.origin}/${number % 2 === 0 ? 200 : 503}`)
    const given = { projectId, slug: `m-${number}`, name: `m ${number}`, settings }
    await recordNewMonitor(store, given, firstAt)
  }
  for (let round = 0; round < rounds; round += 1) {
    const before = checked.requestCount()
    await expect
      .poll(() => endMonitorLease(store).then(() => checked.requestCount()), {
        timeout: 30_000,
        interval: 50,
      })
      .toBeGreaterThan(before + round * 5)
    await servers.shift()?.end('SIGKILL')
    servers.push(await start())
  }
  await expect
    .poll(() => endMonitorLease(store).then(() => countDue(store)), { timeout: 60_000, interval: 250 })
    .toBe(0)
  await expect.poll(() => countRows(store, 'monitor_signals'), { timeout: 30_000, interval: 250 }).toBe(0)
  for (const server of servers) expect(await server.end('SIGTERM')).toBe(0)
  return { ...(await readMonitorEnds(store)), firstAt }
}

function settingsOf(url: string): UptimeSettings {
  return {
    kind: 'uptime',
    target: {
      kind: 'http',
      url,
      method: 'GET',
      headers: [],
      body: '',
      expectedStatus: '2xx',
      expectedText: '',
      followsRedirects: false,
    },
    environment: 'production',
    intervalSeconds: intervalMs / 1_000,
    timeoutSeconds: 10,
    failureThreshold: 1,
    recoveryThreshold: 1,
  }
}

/** A server that responds late with the status in the path, so that a kill interrupts checks. */
async function startChecked() {
  let requestCount = 0
  const server = createServer((request, response) => {
    requestCount += 1
    setTimeout(() => response.writeHead(Number(request.url?.slice(1))).end(), 50)
  })
  const { origin, close } = await serveLocally(server)
  onTestFinished(close)
  return { origin, requestCount: () => requestCount }
}

async function countDue(store: Store): Promise<number> {
  const { count } = await store.db
    .selectFrom('monitor_environments')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('check_at', '<=', Date.now())
    .executeTakeFirstOrThrow()
  return count
}
