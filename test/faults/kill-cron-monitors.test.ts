import { randomInt } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import type { MonitorSettings } from '#monitors/schedule.ts'
import { limits } from '#server/limits.ts'
import { recordNewMonitor } from '#server/store/monitors/changes.ts'
import { createProject } from '#server/store/projects/projects.ts'
import { openStore, type Store } from '#server/store/store.ts'
import { findPostgresPrograms, startPostgresCluster } from '#test/postgres-cluster.ts'
import { startServerProcess, type ServerProcess } from '#test/server-process.ts'
import { makeTestFolder } from '#test/test-store.ts'
import { minuteMs } from '#time/time-steps.ts'
import { countRows, endMonitorLease, readMonitorEnds, type MonitorEnds } from './support/monitor-store.ts'

const hindrance = findPostgresPrograms() === undefined ? ' (skipped: no PostgreSQL is installed)' : ''

const monitorCount = 16
const everyMinute: MonitorSettings = {
  schedule: { kind: 'crontab', crontab: '* * * * *', timeZone: 'UTC' },
  marginMinutes: 1,
  maxRuntimeMinutes: 1,
  failureThreshold: 1,
  recoveryThreshold: 1,
}

/** Shorter than `limits.monitorGapMs`: no outage. */
const stepMs = 15_000
const stepsPerRound = 6
/** After each round a server is killed, and the clock of all servers jumps. */
const jumps = [3 * minuteMs, -1.5 * minuteMs, 8 * minuteMs]

it('two servers on SQLite that are killed, under a clock that jumps, end each slot of a job once', async () => {
  expectOneEndEach(await killWithJobs())
}, 120_000)

it.skipIf(hindrance !== '')(
  `two servers on PostgreSQL that are killed, under a clock that jumps, end each slot of a job once${hindrance}`,
  async () => {
    const cluster = await startPostgresCluster()
    onTestFinished(() => cluster.stop())
    expectOneEndEach(await killWithJobs(await cluster.createDatabase('monitors')))
  },
  180_000,
)

function expectOneEndEach({ ends, slots, failureCount, eventCount, countedEnds }: MonitorEnds): void {
  expect(slots.size).toBe(monitorCount)
  for (const [id, times] of slots) {
    const [first = 0] = times
    expect([id, times]).toEqual([id, times.map((_time, index) => first + index * minuteMs)])
    expect(times.length).toBeGreaterThan(10)
  }
  const statuses = new Set(ends.map(({ status }) => status))
  expect(statuses).toEqual(new Set(['ok', 'error', 'missed', 'timeout', 'unknown']))
  // Each failure is an event, stored once.
  expect(eventCount).toBe(failureCount)
  expect(countedEnds).toBe(ends.length)
}

/** The clock of all servers, and that of their PostgreSQL, which they follow. */
class SharedClock {
  private offsetMs = 0
  private readonly file: string
  private readonly store: Store

  constructor(file: string, store: Store) {
    this.file = file
    this.store = store
    writeFileSync(this.file, '0')
  }

  /** Puts a function before that of PostgreSQL in the search path of new connections. */
  async moveDatabase(name: string): Promise<void> {
    const run = (text: string) => sql.raw(text).execute(this.store.writer)
    await run('CREATE TABLE moved (ms bigint NOT NULL)')
    await run('INSERT INTO moved VALUES (0)')
    await run(`CREATE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS
      'SELECT pg_catalog.clock_timestamp() + ms * interval ''1 ms'' FROM public.moved'`)
    await run(`ALTER DATABASE "${name}" SET search_path = public, pg_catalog`)
  }

  async move(ms: number): Promise<void> {
    this.offsetMs += ms
    if (this.store.engine.name === 'PostgreSQL')
      await sql`UPDATE moved SET ms = ${this.offsetMs}`.execute(this.store.writer)
    writeFileSync(this.file, String(this.offsetMs))
  }

  now(): number {
    return Date.now() + this.offsetMs
  }
}

async function killWithJobs(databaseUrl?: string): Promise<MonitorEnds> {
  const dataDir = await makeTestFolder()
  const offsetFile = join(dataDir, 'offset')
  const store = await openStore({ path: databaseUrl ?? join(dataDir, 'culvert.db') })
  onTestFinished(() => store.close())
  const clock = new SharedClock(offsetFile, store)
  if (databaseUrl !== undefined) await clock.moveDatabase('monitors')
  const { id: projectId, publicKey } = await createProject(store, { id: 7, name: 'Shop' })
  for (let number = 0; number < monitorCount; number += 1) {
    const given = { projectId, slug: `job-${number}`, name: `Job ${number}`, settings: everyMinute }
    await recordNewMonitor(store, given, clock.now())
  }
  const start = () =>
    startServerProcess({
      dataDir,
      nodeArgs: ['--import', join(import.meta.dirname, 'fixtures/movable-clock.ts')],
      variables: {
        CLOCK_OFFSET_FILE: offsetFile,
        ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl, CLOCK_MOVES_MONOTONIC: '1' }),
      },
    })
  const servers = await Promise.all([start(), start()])
  const field = { store, clock, servers, publicKey, projectId }
  await checkIn(field, () => 'ok')
  for (const jumpMs of jumps) {
    for (let step = 0; step < stepsPerRound; step += 1) await advance(field)
    // While check-ins are applied and runs end.
    const sent = checkIn(field, anyStatus)
    await clock.move(stepMs)
    await endMonitorLease(store)
    await Promise.all([sent, servers.shift()?.end('SIGKILL')])
    servers.push(await start())
    await clock.move(jumpMs)
    await tick(field)
  }
  // Until the last runs have ended, and each job has missed a slot: three minutes.
  for (let step = 0; step < 2 * stepsPerRound; step += 1) await advance(field, () => undefined)
  await expect
    .poll(() => endMonitorLease(store).then(() => countWaiting(field)), { timeout: 60_000, interval: 100 })
    .toBe(0)
  for (const server of servers) expect(await server.end('SIGTERM')).toBe(0)
  return readMonitorEnds(store)
}

interface Field {
  store: Store
  clock: SharedClock
  servers: ServerProcess[]
  publicKey: string
  projectId: number
}

/** Jobs report, and a little time passes. */
async function advance(field: Field, statusOf = anyStatus): Promise<void> {
  await checkIn(field, statusOf)
  await field.clock.move(stepMs)
  await tick(field)
}

/** Waits until a server has seen the time; after the clock was set back: that or a later one. */
async function tick({ store, clock }: Field): Promise<void> {
  const until = clock.now()
  const read = async () => {
    await endMonitorLease(store)
    const row = await store.db.selectFrom('monitor_clock').select('ticked_at').executeTakeFirst()
    return row?.ticked_at ?? 0
  }
  await expect
    .poll(read, { timeout: 20_000, interval: 50 })
    .toBeGreaterThanOrEqual(until - limits.monitorHeartbeatMs)
}

/** The status that a job reports; undefined: none. Some runs never end, so every kind of end occurs. */
function anyStatus(): string | undefined {
  return ['ok', 'error', 'in_progress'][randomInt(7)]
}

/** Sends check-ins of all jobs, to all servers. A server that is killed meanwhile has not stored them. */
async function checkIn(
  { servers, projectId, publicKey }: Field,
  statusOf: () => string | undefined,
): Promise<void> {
  const sent = Array.from({ length: monitorCount }, async (_, number) => {
    const { origin } = servers[number % servers.length] ?? { origin: '' }
    const status = statusOf()
    if (status === undefined) return
    const url = `${origin}/api/${projectId}/cron/job-${number}/${publicKey}/?status=${status}`
    await fetch(url).then(
      (answer) => answer.body?.cancel(),
      () => undefined,
    )
  })
  await Promise.all(sent)
}

/** The number of slots that a clock has not processed yet. */
async function countWaiting({ store, clock }: Field): Promise<number> {
  const { count } = await store.db
    .selectFrom('monitor_environments')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('wake_at', '<=', clock.now() - limits.monitorSettleMs)
    .executeTakeFirstOrThrow()
  return count + (await countRows(store, 'monitor_queue')) + (await countRows(store, 'monitor_signals'))
}
