/**
 * Events per second that Culvert accepts and commits, and the cost of each, compared with a baseline server:
 * with few and many issues, with stack traces that repeat and that never do. The servers run at the same
 * time, warm, and are loaded one after the other in short runs, repeatedly, so that other load of the
 * machine and the growth of the stores affect all of them. An event counts when it is answered 200, which is
 * after its commit; at the end the number of rows in the store must equal the number of answers.
 *
 * npm run bench -- ingest [--issues 100,5000] [--frames repeated,unique] [--store 1M,10M]
 *                             [--connections 1,64] [--engine sqlite,postgres]
 *
 * Every case is measured at 64 connections, or at the given numbers; without arguments the first case also at
 * 1 and 16. `--store 1M,10M` first fills stores with that many events; after the first million only the rows
 * and the index entries are new. BENCH_SECONDS and BENCH_ROUNDS (3 and 7) change the length of a run.
 *
 * `--engine postgres` measures on PostgreSQL, both names measure both engines in one run. It starts its own
 * server, with fsync, or uses the one of `DATABASE_URL`, which must be on this machine. The CPU and the
 * writes of all its processes are added.
 */
import { cpus } from 'node:os'
import { parseArgs } from 'node:util'
import * as v from 'valibot'
import { startLoad } from './ingest/load.ts'
import { readProcessUsage } from './ingest/process-usage.ts'
import type { Frames } from './ingest/sample-envelopes.ts'
import { startCulvert, startCulvertOnPostgres, startFloor, type Target } from './ingest/target.ts'
import { toHistogramText } from './support/latencies.ts'
import { toMedian } from './support/median.ts'
import { openBenchPostgres } from './support/postgres-server.ts'
import type { ServerUse } from './support/server-meter.ts'

/** Events until V8 has compiled the hot code, and the longest time to wait for them. */
const warmUpEvents = 15_000
const warmUpLoads = 4
const warmUpSeconds = 5
/** Start of each run, which is not measured: the generator's connections are new. */
const runWarmUpMs = 500
/** More than one run sends, so that unique events are unique. */
const samplesPerRun = 20_000

/** The result of loading one server once. */
interface RunResult {
  eventsPerSecond: number
  p50Ms: number
  p90Ms: number
  p99Ms: number
  histogram: number[]
  cpuMicrosPerEvent: number
  residentMb: number
  /** Bytes written to files by the database server, or by the server itself, then with its answers. */
  writtenBytesPerEvent: number
  database?: DatabaseResult
}

/** The CPU of the database server in one run. */
interface DatabaseResult {
  cpuMicrosPerEvent: number
  walBytesPerEvent: number
  eventsPerCommit: number
}

/** A measured server, and its number of accepted events. */
interface MeasuredServer {
  name: string
  target: Target
  load: LoadCase
  acceptedInAll: number
  runs: RunResult[]
}

/** The events that are sent. */
interface LoadCase {
  issueCount: number
  frames: Frames
  /** Events in the store before the measurement. */
  storedEvents: number
}

/** Cases at one number of connections. */
interface Level {
  connections: number
  cases: LoadCase[]
}

/** The least expensive case first. */
const defaultCases: LoadCase[] = [
  { issueCount: 100, frames: 'repeated', storedEvents: 0 },
  { issueCount: 5_000, frames: 'repeated', storedEvents: 0 },
  { issueCount: 100, frames: 'unique', storedEvents: 0 },
]
const easyCases = defaultCases.slice(0, 1)
const defaultLevels: Level[] = [
  { connections: 1, cases: easyCases },
  { connections: 16, cases: easyCases },
  { connections: 64, cases: defaultCases },
]

/** Runs the whole benchmark and prints a table, and the latencies of each server. */
export async function runIngestBench(): Promise<void> {
  const seconds = Number(process.env['BENCH_SECONDS'] ?? 3)
  const rounds = Number(process.env['BENCH_ROUNDS'] ?? 7)
  const { levels, engines } = readArguments(process.argv.slice(3))
  const postgres = engines.includes('postgres') ? await openBenchPostgres() : undefined
  console.log(
    `ingest: ${rounds} rounds of ${seconds} s per level, ${cpus().length} cores shared with the generator\n`,
  )
  const rows = []
  const histograms = []
  try {
    for (const { connections, cases } of levels) {
      const withSqlite = engines.includes('sqlite')
      const options = { rounds, seconds, cases, withSqlite, postgresUrl: postgres?.url }
      const servers = await measure(connections, options)
      const [floor] = servers
      for (const { name, runs } of servers) {
        const ratios = runs.map(
          ({ eventsPerSecond }, round) =>
            eventsPerSecond / (floor?.runs[round]?.eventsPerSecond ?? Number.NaN),
        )
        rows.push({ connections, server: name, ...toRow(runs), 'of the floor': toMedian(ratios).toFixed(2) })
        histograms.push(`${connections}, ${name}: ${toHistogramText(sumHistograms(runs))}`)
      }
    }
  } finally {
    await postgres?.stop()
  }
  console.table(rows)
  console.log(`\nlatencies\n${histograms.join('\n')}`)
}

function readArguments(args: string[]): { levels: Level[]; engines: Engine[] } {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args,
    options: { issues: text, frames: text, store: text, connections: text, engine: text },
  })
  const ownEngines = process.env['DATABASE_URL'] === undefined ? 'sqlite' : 'sqlite,postgres'
  const engines = list(values.engine ?? ownEngines).map((engine) => v.parse(engineName, engine))
  const { issues, frames, store, connections } = values
  if ([issues, frames, store, connections].every((value) => value === undefined))
    return { levels: defaultLevels, engines }
  const cases = list(store ?? '0').flatMap((stored) =>
    list(issues ?? '100').flatMap((issueCount) =>
      list(frames ?? 'repeated').map((each) => ({
        issueCount: toCount(issueCount),
        frames: v.parse(framesName, each),
        storedEvents: toCount(stored),
      })),
    ),
  )
  return { levels: list(connections ?? '64').map((each) => ({ connections: toCount(each), cases })), engines }
}

const list = (text: string): string[] => text.split(',')

const framesName = v.picklist(['repeated', 'unique'])
const engineName = v.picklist(['sqlite', 'postgres'])
type Engine = v.InferOutput<typeof engineName>

/** `5000`, `300k` or `1M`. */
function toCount(text: string): number {
  const [, digits, unit = ''] = /^(\d+)([kM]?)$/.exec(text) ?? []
  if (digits === undefined) throw new Error(`${text} is not a number, such as 5000, 300k or 1M`)
  return Number(digits) * ({ k: 1_000, M: 1_000_000 }[unit] ?? 1)
}

interface MeasureOptions {
  rounds: number
  seconds: number
  cases: LoadCase[]
  withSqlite: boolean
  postgresUrl: string | undefined
}

/** The first server is the baseline. */
async function measure(connections: number, options: MeasureOptions): Promise<MeasuredServer[]> {
  const { rounds, seconds, cases, withSqlite, postgresUrl } = options
  const servers: MeasuredServer[] = []
  const add = (server: Omit<MeasuredServer, 'runs'>) => servers.push({ ...server, runs: [] })
  try {
    const [easiest = { issueCount: 100, frames: 'repeated', storedEvents: 0 }] = cases
    add({ name: 'floor', target: await startFloor(), load: easiest, acceptedInAll: 0 })
    for (const load of cases) {
      const { issueCount, frames, storedEvents } = load
      const stored = storedEvents === 0 ? '' : `, store of ${storedEvents.toLocaleString('en')}`
      const name = `${issueCount} issues, ${frames} frames${stored}`
      const fill = { eventCount: storedEvents, issueCount, busyIssueCount: issueCount, frames }
      const given = { fill: storedEvents > 0 ? fill : undefined }
      if (withSqlite) add({ name, target: await startCulvert(given), load, acceptedInAll: storedEvents })
      if (postgresUrl === undefined) continue
      const target = await startCulvertOnPostgres(postgresUrl, given)
      add({ name: `PostgreSQL: ${name}`, target, load, acceptedInAll: storedEvents })
    }
    for (const server of servers) await warmUp(server, connections)
    for (let round = 0; round < rounds; round += 1) {
      for (const server of servers)
        server.runs.push(await run(server, { connections, seconds, seed: round + 2 }))
    }
    for (const server of servers) await assertStored(server)
    await printCheckpoint(servers)
  } finally {
    await Promise.all(servers.map(({ target }) => target.stop()))
  }
  return servers
}

/**
 * Loads a server until V8 has compiled its hot code; a server that is too slow for that many events is not
 * waited for longer.
 */
async function warmUp(server: MeasuredServer, connections: number): Promise<void> {
  for (let load = 0; load < warmUpLoads && server.acceptedInAll < warmUpEvents; load += 1)
    await run(server, { connections, seconds: warmUpSeconds, seed: 1 })
}

/** Loads a server once. CPU time and bytes are those of all of its events, until they are counted. */
async function run(
  server: MeasuredServer,
  { connections, seconds, seed }: { connections: number; seconds: number; seed: number },
): Promise<RunResult> {
  const { target, load } = server
  const { issueCount, frames } = load
  const before = readProcessUsage(target.pid)
  const databaseBefore = await target.databaseMeter?.read()
  const generator = startLoad({
    origin: target.origin,
    path: target.path,
    connections,
    warmUpMs: runWarmUpMs,
    seconds,
    samples: { count: samplesPerRun, seed, issueCount, frames },
  })
  const result = await generator.result
  await target.waitUntilCounted()
  const after = readProcessUsage(target.pid)
  const databaseAfter = await target.databaseMeter?.read()
  if (result.rejected > 0) throw new Error(`${result.rejected} events were rejected`)
  server.acceptedInAll += result.acceptedInAll
  const database = databaseBefore && databaseAfter && subtract(databaseAfter, databaseBefore)
  // The responses of a database server to its clients are not counted; its client writes no files.
  const writtenBytes = database?.writtenBytes ?? after.writtenBytes - before.writtenBytes
  return {
    eventsPerSecond: result.accepted / result.seconds,
    p50Ms: result.p50Ms,
    p90Ms: result.p90Ms,
    p99Ms: result.p99Ms,
    histogram: result.histogram,
    cpuMicrosPerEvent: ((after.cpuSeconds - before.cpuSeconds) / result.acceptedInAll) * 1e6,
    residentMb: after.residentBytes / 1e6,
    writtenBytesPerEvent: writtenBytes / result.acceptedInAll,
    database: database && {
      cpuMicrosPerEvent: database.cpuMicros / result.acceptedInAll,
      walBytesPerEvent: database.walBytes / result.acceptedInAll,
      eventsPerCommit: result.acceptedInAll / database.commitCount,
    },
  }
}

function subtract(after: ServerUse, before: ServerUse): ServerUse {
  return {
    cpuMicros: after.cpuMicros - before.cpuMicros,
    writtenBytes: after.writtenBytes - before.writtenBytes,
    walBytes: after.walBytes - before.walBytes,
    commitCount: after.commitCount - before.commitCount,
  }
}

/**
 * Pages that await a checkpoint are not included in the bytes per event: the more events between two
 * checkpoints, the fewer they are.
 */
async function printCheckpoint(servers: readonly MeasuredServer[]): Promise<void> {
  const ofDatabase = servers.filter(({ target }) => target.databaseMeter !== undefined)
  const meter = ofDatabase[0]?.target.databaseMeter
  if (meter === undefined || process.env['DATABASE_URL'] !== undefined) return
  const eventCount = ofDatabase.reduce((sum, { acceptedInAll }) => sum + acceptedInAll, 0)
  const bytes = await meter.checkpoint()
  const perEvent = (bytes / eventCount / 1e3).toFixed(1)
  console.log(`a checkpoint after ${eventCount} events on PostgreSQL: ${perEvent} kB per event`)
}

async function assertStored({ name, target, acceptedInAll }: MeasuredServer): Promise<void> {
  const stored = await target.countEvents()
  if (stored !== acceptedInAll)
    throw new Error(`${name}: ${acceptedInAll} events were accepted, ${stored} are stored`)
}

function sumHistograms(runs: readonly RunResult[]): number[] {
  const sums: number[] = []
  for (const { histogram } of runs)
    for (const [bucket, count] of histogram.entries()) sums[bucket] = (sums[bucket] ?? 0) + count
  return sums
}

/** The medians of the rounds. */
function toRow(runs: readonly RunResult[]) {
  const median = (value: (result: RunResult) => number) => toMedian(runs.map(value))
  const ofDatabase = (value: (result: DatabaseResult) => number) =>
    median(({ database }) => (database === undefined ? Number.NaN : value(database)))
  const own = {
    'events/s': Math.round(median(({ eventsPerSecond }) => eventsPerSecond)),
    'p50 ms': Number(median(({ p50Ms }) => p50Ms).toFixed(2)),
    'p90 ms': Number(median(({ p90Ms }) => p90Ms).toFixed(2)),
    'p99 ms': Number(median(({ p99Ms }) => p99Ms).toFixed(2)),
    'CPU µs/event': Math.round(median(({ cpuMicrosPerEvent }) => cpuMicrosPerEvent)),
    'RSS MB': Math.round(median(({ residentMb }) => residentMb)),
    'written kB/event': Number((median(({ writtenBytesPerEvent }) => writtenBytesPerEvent) / 1e3).toFixed(1)),
  }
  if (runs[0]?.database === undefined) return own
  return {
    ...own,
    'database µs/event': Math.round(ofDatabase(({ cpuMicrosPerEvent }) => cpuMicrosPerEvent)),
    'log kB/event': Number((ofDatabase(({ walBytesPerEvent }) => walBytesPerEvent) / 1e3).toFixed(1)),
    'events/commit': Number(ofDatabase(({ eventsPerCommit }) => eventsPerCommit).toFixed(1)),
  }
}
