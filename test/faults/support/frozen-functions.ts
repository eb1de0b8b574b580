import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { expect, onTestFinished } from 'vitest'
import { limits } from '#server/limits.ts'
import { updateProjectSettings } from '#server/store/projects/settings.ts'
import { openStore } from '#server/store/store.ts'
import { startFakeUpstream } from '#test/fake-upstream.ts'
import { startPostgresCluster } from '#test/postgres-cluster.ts'
import { runCommand } from '#test/run-command.ts'
import { fixtureProject } from '#test/start-server.ts'
import { buildForVercel, startVercelFunction, type VercelFunction } from '#test/vercel-function.ts'
import { hourMs } from '#time/time-steps.ts'
import { projectAdd } from '../../../bin/commands/projects/add.ts'
import { upstreamAdd } from '../../../bin/commands/upstreams/add.ts'
import { createLedger, type Ledger } from './ledger.ts'
import { sendEvent } from './load.ts'

const instanceCount = 3
const cronSecret = 'c'.repeat(32)

/** The faults of a run. */
export interface FrozenRun {
  eventCount: number
  /** One instance is killed in the middle of one of this many requests. */
  killEvery: number
  /** The server drops the connections of all frozen instances after every so many requests. */
  dropEvery: number
  /** Leases of killed instances are deleted at the end, instead of waited for. */
  endsLostLeases?: true
}

/** One of the instances, with its number of requests. */
interface Instance {
  running: VercelFunction
  requestCount: number
}

/**
 * Sends events to three instances in turn. Each is frozen whenever its requests and their `waitUntil`
 * promises are done, and thawed for the next; some are killed, and the database drops connections of frozen
 * ones. Expects that nothing is lost or duplicated, here and at the upstream, and that the cron route counts,
 * delivers and deletes the rest.
 */
export async function expectNothingLostWhileFrozen(run: FrozenRun): Promise<void> {
  const cluster = await startPostgresCluster()
  onTestFinished(() => cluster.stop())
  const url = await cluster.createDatabase('frozen')
  const upstream = await startFakeUpstream()
  onTestFinished(() => upstream.close())
  await addProjectWithUpstream(url, upstream.address)
  const output = await buildForVercel()
  onTestFinished(() => output.remove())
  const variables = { DATABASE_URL: url, CRON_SECRET: cronSecret, CULVERT_ALLOW_PRIVATE_UPSTREAMS: '1' }
  const start = async () => ({ running: await startVercelFunction(output, variables), requestCount: 0 })
  const instances = await Promise.all(Array.from({ length: instanceCount }, start))
  onTestFinished(async () => {
    await Promise.all(instances.map(({ running }) => running.stop()))
  })

  const ledger = createLedger()
  let killCount = 0
  for (let number = 1; number <= run.eventCount; number += 1) {
    const at = number % instanceCount
    const instance = instances[at]
    if (instance === undefined) throw new Error('there is no such instance')
    instance.running.thaw()
    if (number % run.killEvery === 0) {
      await killWhileSending(instance, ledger)
      killCount += 1
      instances[at] = await start()
      continue
    }
    await sendEvent({ origin: instance.running.origin, ledger })
    instance.requestCount += 1
    await instance.running.settled(instance.requestCount)
    instance.running.freeze()
    if (number % run.dropEvery === 0) await dropConnections(url)
  }

  for (const { running } of instances) running.thaw()
  await runCronUntilDelivered(instances[0], url, run)
  const rejected = [...ledger.rejected]
  const logs = rejected.length === 0 ? [] : instances.map(({ running }) => running.log())
  expect({ rejected, logs }).toEqual({ rejected: [], logs: [] })
  expect(ledger.unknown.size).toBeLessThanOrEqual(killCount)
  await expectSums(url, ledger)
  const delivered = upstream.requests.map(
    ({ body }) => /"event_id":"([0-9a-f]{32})"/.exec(body.toString())?.[1] ?? '',
  )
  expect([...ledger.acked.difference(new Set(delivered))]).toEqual([])
  expect([...new Set(delivered).difference(ledger.sent)]).toEqual([])
  // The envelopes in flight of a killed instance are sent again.
  expect(delivered.length - new Set(delivered).size).toBeLessThanOrEqual(killCount * limits.forwardWindowLate)
  await expectExpiry(instances[0], url, Math.floor(run.eventCount / 2))
}

async function addProjectWithUpstream(url: string, address: string): Promise<void> {
  const { id, name, publicKey } = fixtureProject
  const variables = { DATABASE_URL: url, CULVERT_ALLOW_PRIVATE_UPSTREAMS: '1' }
  const project = await runCommand(projectAdd, [name, '--id', String(id), '--key', publicKey], variables)
  expect(project).toMatchObject({ code: 0 })
  const dsn = `http://${'d'.repeat(32)}@up.example/7`
  const added = await runCommand(upstreamAdd, [name, dsn, '--connect', address], variables)
  expect(added).toMatchObject({ code: 0 })
}

async function killWhileSending({ running }: Instance, ledger: Ledger): Promise<void> {
  const sent = sendEvent({ origin: running.origin, ledger })
  // At any moment from before the commit to after the answer.
  await sleep(Math.random() * 40)
  await running.stop()
  await sent
}

/** Calls the route until nothing is pending: the lease of a killed instance has to end first. */
async function runCronUntilDelivered(
  instance: Instance | undefined,
  url: string,
  { endsLostLeases }: FrozenRun,
): Promise<void> {
  const endsAt = performance.now() + 3 * limits.leaseMs
  for (;;) {
    expect(await callCron(instance)).toMatchObject({ failed: [] })
    const waiting = await readNumber(url, 'SELECT count(*) FROM outbox')
    if (waiting === 0) return
    if (endsLostLeases) await endLostLeases(url)
    if (performance.now() > endsAt) throw new Error(`${waiting} envelopes still wait`)
  }
}

/** A living holder renews its lease after a third of the time. */
async function endLostLeases(url: string): Promise<void> {
  await readColumn(
    url,
    `DELETE FROM leases WHERE expires_at < ${Date.now() + limits.leaseMs / 2} RETURNING name`,
  )
}

async function callCron(instance: Instance | undefined): Promise<unknown> {
  const headers = { authorization: `Bearer ${cronSecret}` }
  const answer = await fetch(`${instance?.running.origin}/api/cron`, { headers })
  expect(answer.status).toBe(200)
  return answer.json()
}

/** Nothing is lost or duplicated, and every counter equals the rows, without another fold. */
async function expectSums(url: string, ledger: Ledger): Promise<void> {
  const ids = await readColumn(url, "SELECT encode(event_id, 'hex') FROM events WHERE project_id = $1")
  expect([...ledger.acked.difference(new Set(ids))]).toEqual([])
  expect([...new Set(ids).difference(ledger.sent)]).toEqual([])
  expect(ids.length).toBe(new Set(ids).size)
  expect(await readNumber(url, 'SELECT count(*) FROM counter_deltas')).toBe(0)
  for (const sum of [
    'SELECT sum(event_count) FROM issues WHERE project_id = $1',
    'SELECT sum(event_count) FROM issue_hours WHERE project_id = $1',
    'SELECT sum(event_count) FROM body_blocks WHERE project_id = $1',
    "SELECT sum(quantity) FROM outcome_hours WHERE project_id = $1 AND outcome = 'accepted'",
  ])
    expect([sum, await readNumber(url, sum)]).toEqual([sum, ids.length])
}

async function expectExpiry(instance: Instance | undefined, url: string, events: number): Promise<void> {
  const store = await openStore({ path: url, clock: Date.now })
  await updateProjectSettings(store, fixtureProject.id, (before) => ({
    retention: { ...before.retention, events },
  }))
  // The last run was an interval ago.
  const trustedAt = Date.now() - 2 * hourMs
  const state = JSON.stringify({ trustedAt, doubtedMs: 0 })
  await store.writer
    .updateTable('settings')
    .set({ value: state })
    .where('key', '=', 'retention_clock')
    .execute()
  await store.close()
  // On a busy machine retention needs several slices.
  await expect
    .poll(() => callCron(instance), { timeout: 60_000 })
    .toMatchObject({ retention: 'done', failed: [] })
  const count = 'SELECT count(*) FROM events WHERE project_id = $1'
  expect(await readNumber(url, count)).toBeLessThanOrEqual(events)
  expect(await readNumber(url, count)).toBeGreaterThan(events / 2)
}

/** Like a server that ends idle sessions. */
async function dropConnections(url: string): Promise<void> {
  await readColumn(
    url,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND $1 > 0`,
  )
}

async function readNumber(url: string, sql: string): Promise<number> {
  return Number((await readColumn(url, sql))[0])
}

/** The first column, as texts. `$1` is the project. */
async function readColumn(url: string, sql: string): Promise<string[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<Record<string, unknown>>(
      sql,
      sql.includes('$1') ? [fixtureProject.id] : [],
    )
    return rows.map((row) => String(Object.values(row)[0]))
  } finally {
    await client.end()
  }
}
