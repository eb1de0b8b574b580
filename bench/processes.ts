/**
 * The cost of an event with one, two and four processes on one PostgreSQL database: the CPU of each process,
 * that of the database, and the time that commits wait. All of them share this machine, so the rate does not
 * grow; the capacity with one machine per process is computed from the CPU: n processes accept n times the
 * events of one, divided by the increase of the cost per event in each. For comparison the same number of
 * processes is measured with one database each: their additional cost, compared with one process, is caused
 * by the cores and caches of this machine; the additional cost of the others, compared with them, by the
 * shared database.
 *
 * npm run bench -- processes [1,2,4]           BENCH_SECONDS (10), BENCH_ROUNDS (1)
 *     npm run bench -- processes routed [1,2,4]    each process gets the events of its own projects
 *     npm run bench -- processes limited [1,2,4]   each process may use a fifth of a core
 *     npm run bench -- processes flood             four processes: mixed load, then events of one issue only
 *
 * Limited processes leave the cores to the database and to the load, as if these were elsewhere and each
 * process had a machine of its own that is five times slower than a core of this one. Their events/s are
 * compared.
 *
 * With several rounds, the round with the median ratio is printed, and the lowest and highest ratio.
 *
 * Each process has 32 connections that send to four projects in rotation, as behind a load balancer. The
 * PostgreSQL server is a new one, or the one of `DATABASE_URL`.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { openStore } from '#server/store/store.ts'
import { createPostgresDatabase } from '#test/postgres-database.ts'
import { startLoad } from './ingest/load.ts'
import { readProcessUsage } from './ingest/process-usage.ts'
import { startOnDatabase, type Target } from './ingest/target.ts'
import { limitCpu } from './support/cpu-share.ts'
import { openBenchPostgres } from './support/postgres-server.ts'
import { createBenchProject, toEnvelopePath } from './support/project.ts'
import { createServerMeter } from './support/server-meter.ts'

const projects = [1, 2, 3, 4].map((number) => ({ id: 40 + number, publicKey: `b${number}`.repeat(16) }))
const connections = 32

/** The share of a core that a limited process may use, and the seconds until its rate is steady. */
const limitedShare = 0.2
const settleSeconds = 4

/** Each process runs retention 45 to 75 seconds after its start, or once the others have done so. */
const limitedWarmUpSeconds = 150

/**
 * Together: every process receives events of all projects. Routed: all events of a project go to the same
 * process. Apart: as together, and each process has its own database.
 */
type Way = 'together' | 'routed' | 'apart'

/** The load of all processes at the same time. */
interface Load {
  count: number
  seconds: number
  /** Paths of projects, to which each connection sends in rotation. */
  paths: readonly string[]
  way?: Way
  /** Number of issues that all events of a project belong to. */
  issueCount?: number
  isLimited?: boolean
}

const paths = projects.map(toEnvelopePath)
/** Per process, each of which gets a share of this machine's cores: until V8 has compiled the hot code. */
const warmUpSecondsEach = 15

interface Costs {
  eventsPerSecond: number
  p50Ms: number
  /** CPU of a process and its threads, per event. */
  processMicros: number
  databaseMicros: number
  eventsPerCommit: number
  /** Answered 429, because this machine does not have enough cores for that many processes. */
  rejected: number
}

/** Runs the whole benchmark and prints a table. */
export async function runProcessesBench(): Promise<void> {
  const [what = '1,2,4', countsOfWay = '1,2,4'] = process.argv.slice(3)
  const seconds = Number(process.env['BENCH_SECONDS'] ?? 10)
  const server = await openBenchPostgres()
  try {
    if (what === 'flood') await compareFlood(server.url, seconds)
    else {
      const way = what === 'routed' ? 'routed' : 'together'
      const isLimited = what === 'limited'
      const counts = (way === 'routed' || isLimited ? countsOfWay : what).split(',').map(Number)
      await compareCounts(server.url, { counts, seconds, way, isLimited })
    }
  } finally {
    await server.stop()
  }
}

async function compareCounts(
  server: string,
  { counts, ...load }: Pick<Load, 'seconds' | 'isLimited'> & { counts: readonly number[]; way: Way },
): Promise<void> {
  const rows = []
  let alone: Costs | undefined
  for (const count of counts) {
    const [lowest, { apart, costs }, highest] = await measureRounds(server, { ...load, count, paths })
    alone ??= costs
    const toTimes = (one: Costs) => (one.eventsPerSecond / (alone ?? costs).eventsPerSecond).toFixed(2)
    const named = 'times the first, by events/s'
    if (apart) rows.push({ processes: count, databases: count, ...toRow(apart), [named]: toTimes(apart) })
    rows.push({
      processes: count,
      databases: 1,
      ...toRow(costs),
      [named]: toTimes(costs),
      'times the first, by CPU': timesOf({ apart: alone, costs }, count / (counts[0] ?? 1)).toFixed(2),
      ...(apart && {
        'times one, next to a database each': timesOf({ apart, costs }, count).toFixed(2),
        'of all rounds': [lowest, highest].map((round) => timesOf(round, count).toFixed(2)).join('–'),
      }),
    })
  }
  console.table(rows)
}

/** As many processes with a database each, and then with one. One process has no `apart`. */
interface Round {
  apart: Costs | undefined
  costs: Costs
}

/** Measures `BENCH_ROUNDS` rounds; returns those with the lowest, the median and the highest ratio. */
async function measureRounds(server: string, load: Load & { way: Way }): Promise<[Round, Round, Round]> {
  const measureRound = async (): Promise<Round> => ({
    apart: load.count === 1 || load.isLimited ? undefined : await measure(server, { ...load, way: 'apart' }),
    costs: await measure(server, load),
  })
  const first = await measureRound()
  const rounds = [first]
  while (rounds.length < Number(process.env['BENCH_ROUNDS'] ?? 1)) rounds.push(await measureRound())
  const sorted = rounds.toSorted((one, other) => timesOf(one, 1) - timesOf(other, 1))
  const at = (index: number) => sorted[index] ?? first
  return [at(0), at(sorted.length >> 1), at(sorted.length - 1)]
}

function timesOf({ apart, costs }: Round, times: number): number {
  return (times * (apart ?? costs).processMicros) / costs.processMicros
}

/** Measures four processes that update the same row of one project all the time. */
async function compareFlood(server: string, seconds: number): Promise<void> {
  const mixed = await measure(server, { count: 4, seconds, paths })
  const flood = await measure(server, { count: 4, seconds, paths: paths.slice(0, 1), issueCount: 1 })
  console.table([
    { load: '200 issues in each of four projects', ...toRow(mixed) },
    { load: 'one issue of one project', ...toRow(flood) },
  ])
  const ratio = flood.eventsPerSecond / mixed.eventsPerSecond
  console.log(`one issue: ${ratio.toFixed(2)} of the events/s of the mixed load`)
}

async function measure(
  server: string,
  { count, seconds, paths: loaded, issueCount, way = 'together', isLimited = false }: Load,
): Promise<Costs> {
  const pathOf = (process: number) =>
    loaded.filter((_, at) => way !== 'routed' || at % count === process).join(' ')
  const databases: Database[] = []
  while (databases.length < (way === 'apart' ? count : 1)) databases.push(await createDatabase(server))
  const meter = await createServerMeter(databases[0]?.url ?? server)
  const targets: Target[] = []
  const ends: (() => Promise<void>)[] = []
  try {
    for (let number = 0; number < count; number += 1) {
      const url = databases[number % databases.length]?.url ?? server
      targets.push(await startOnDatabase(url, { path: pathOf(number) }))
    }
    const warmUpSeconds = isLimited ? limitedWarmUpSeconds : warmUpSecondsEach * count
    const loads = targets.map(({ origin }, at) =>
      startLoad({
        origin,
        path: pathOf(at),
        connections,
        warmUpMs: warmUpSeconds * 1000,
        seconds,
        // The time of an event, as SDKs set it: fixed times would move the starts of issues.
        samples: { issueCount, isTimed: true },
      }),
    )
    if (isLimited) {
      await sleep((warmUpSeconds - settleSeconds) * 1000)
      for (const { pid } of targets) ends.push(await limitCpu(pid, limitedShare))
    }
    await Promise.all(loads.map(({ isMeasuring }) => isMeasuring))
    const before = { own: cpuOf(targets), database: await meter.read() }
    const results = await Promise.all(loads.map(({ result }) => result))
    const after = { own: cpuOf(targets), database: await meter.read() }
    const accepted = sum(results.map((each) => each.accepted))
    await assertStored(databases, sum(results.map(({ acceptedInAll }) => acceptedInAll)))
    return {
      eventsPerSecond: sum(results.map((each) => each.accepted / each.seconds)),
      p50Ms: Math.max(...results.map(({ p50Ms }) => p50Ms)),
      processMicros: ((after.own - before.own) / accepted) * 1e6,
      databaseMicros: (after.database.cpuMicros - before.database.cpuMicros) / accepted,
      eventsPerCommit: accepted / (after.database.commitCount - before.database.commitCount),
      rejected: sum(results.map((each) => each.rejected)),
    }
  } finally {
    await Promise.all(targets.map((target) => target.stop()))
    for (const end of ends) await end()
    await meter.close()
    for (const { drop } of databases) await drop()
  }
}

type Database = Awaited<ReturnType<typeof createPostgresDatabase>>

/** Creates a database with the projects. */
async function createDatabase(server: string): Promise<Database> {
  const database = await createPostgresDatabase(server)
  const store = await openStore({ path: database.url, clock: Date.now })
  for (const project of projects) await createBenchProject(store, project)
  await store.close()
  return database
}

function cpuOf(targets: readonly Target[]): number {
  return sum(targets.map(({ pid }) => readProcessUsage(pid).cpuSeconds))
}

async function assertStored(databases: readonly Database[], accepted: number): Promise<void> {
  let stored = 0
  for (const { url } of databases) {
    const client = new Client({ connectionString: url })
    await client.connect()
    const { rows } = await client.query<{ n: string }>('SELECT count(*) AS n FROM events')
    await client.end()
    stored += Number(rows[0]?.n)
  }
  if (stored !== accepted) throw new Error(`${accepted} events were accepted, ${stored} are stored`)
}

function toRow({ eventsPerSecond, p50Ms, processMicros, databaseMicros, ...rest }: Costs) {
  return {
    'events/s, all on this machine': Math.round(eventsPerSecond),
    'p50 ms': p50Ms.toFixed(1),
    'Culvert µs/event': Math.round(processMicros),
    'database µs/event': Math.round(databaseMicros),
    'events/commit': rest.eventsPerCommit.toFixed(1),
    rejected: rest.rejected,
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
