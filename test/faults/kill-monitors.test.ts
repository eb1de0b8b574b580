import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { expect, it, onTestFinished } from 'vitest'
import type { UptimeSettings } from '#monitors/uptime.ts'
import { recordNewMonitor } from '#server/store/monitors/changes.ts'
import { createProject } from '#server/store/projects/projects.ts'
import { openStore, type Store } from '#server/store/store.ts'
import { dayMs } from '#time/time-steps.ts'
import { findPostgresPrograms, startPostgresCluster } from '../support/postgres-cluster.ts'
import { startServerProcess } from '../support/server-process.ts'
import { createTempDir } from '../support/temp-dir.ts'

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
interface Outcome {
  ends: { monitor_id: string; slot_at: number | null; status: string }[]
  eventCount: number
  countedEnds: number
  /** The first slot of each monitor. */
  firstAt: number
}

function expectOneEndEach({ ends, eventCount, countedEnds, firstAt }: Outcome): void {
  const byMonitor = Map.groupBy(ends, ({ monitor_id }) => monitor_id)
  expect(byMonitor.size).toBe(monitorCount)
  for (const rows of byMonitor.values()) {
    const slots = rows.map(({ slot_at }) => Number(slot_at)).toSorted((one, other) => one - other)
    expect(slots).toEqual(slots.map((_slot, index) => firstAt + index * intervalMs))
    expect(slots.length).toBeGreaterThanOrEqual(dueSlots)
  }
  const failureCount = ends.filter(({ status }) => status === 'error').length
  expect(failureCount).toBeGreaterThan(0)
  // Each failure is an event, stored once.
  expect(eventCount).toBe(failureCount)
  expect(countedEnds).toBe(ends.length)
}

/** Kills one server in each round, while checks are being made. */
async function killInChecks(databaseUrl?: string): Promise<Outcome> {
  const dataDir = await createTempDir()
  onTestFinished(() => dataDir.remove())
  const checked = await startChecked()
  const store = await openStore({ path: databaseUrl ?? `${dataDir.path}/culvert.db` })
  onTestFinished(() => store.close())
  const projectId = 7
  await createProject(store, { id: projectId, name: 'Shop' })
  const variables = {
    CULVERT_ALLOW_PRIVATE_DESTINATIONS: '127.0.0.1',
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
  }
  const start = () => startServerProcess({ dataDir: dataDir.path, variables })
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
      .poll(() => endLeases(store).then(() => checked.requestCount()), { timeout: 30_000, interval: 50 })
      .toBeGreaterThan(before + round * 5)
    await servers.shift()?.end('SIGKILL')
    servers.push(await start())
  }
  await expect
    .poll(() => endLeases(store).then(() => countDue(store)), { timeout: 60_000, interval: 250 })
    .toBe(0)
  await expect.poll(() => countRows(store, 'monitor_signals'), { timeout: 30_000, interval: 250 }).toBe(0)
  for (const server of servers) expect(await server.end('SIGTERM')).toBe(0)
  const ends = await store.db
    .selectFrom('monitor_check_ins')
    .select(['monitor_id', 'slot_at', 'status'])
    .execute()
  const counted = await store.db
    .selectFrom('monitor_counts')
    .select((of) => of.fn.sum<number>('quantity').as('quantity'))
    .where('step_ms', '=', dayMs)
    .executeTakeFirstOrThrow()
  const eventCount = await countRows(store, 'events')
  return { ends, eventCount, countedEnds: counted.quantity, firstAt }
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

/** A server that answers late with the status in the path, so that a kill finds checks on their way. */
async function startChecked() {
  let requestCount = 0
  const server: Server = createServer((request, response) => {
    requestCount += 1
    setTimeout(() => response.writeHead(Number(request.url?.slice(1))).end(), 50)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const bound = server.address()
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0
  return { origin: `http://127.0.0.1:${port}`, requestCount: () => requestCount }
}

/** A killed process keeps its lease for a while: the test does not wait for it. */
async function endLeases(store: Store): Promise<void> {
  await store.writer.deleteFrom('leases').where('name', '=', 'monitors').execute()
}

async function countDue(store: Store): Promise<number> {
  const { count } = await store.db
    .selectFrom('monitor_environments')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('check_at', '<=', Date.now())
    .executeTakeFirstOrThrow()
  return count
}

async function countRows(store: Store, table: 'monitor_signals' | 'events'): Promise<number> {
  const { count } = await store.db
    .selectFrom(table)
    .select((of) => of.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}
