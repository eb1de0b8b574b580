/**
 * Events per second that Culvert accepts, commits and shows, at 1, 16 and 64 connections, and what each
 * costs, beside the floor. The servers run at once, warm, and are loaded one after the other in short turns,
 * again and again, so that whatever else the machine does, and that their stores grow, hits all alike. An
 * event counts when it is answered 200, which is after its commit; at the end the rows in the store must be
 * as many as the answers.
 *
 *     npm run bench -- ingest          BENCH_SECONDS and BENCH_ROUNDS (3 and 7) for other runs
 *
 * With `DATABASE_URL` a third server runs on a new database of that PostgreSQL server, which must be on this
 * machine. The CPU of all its processes is added.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import * as v from 'valibot'
import type { LoadResult } from './ingest/generator.ts'
import { readProcessUsage } from './ingest/process-usage.ts'
import { startCulvert, startCulvertOnPostgres, startFloor, type Target } from './ingest/target.ts'
import { toMedian } from './median.ts'
import type { ServerUse } from './server-meter.ts'

const levels = [1, 16, 64]
/** Events until what the engine compiles on the way no longer shows, and how long they are waited for. */
const warmUpEvents = 15_000
const warmUpLoads = 4
const warmUpSeconds = 5
/** Of each turn, not measured: the generator's connections are new. */
const turnWarmUpMs = 500

const loadResult: v.GenericSchema<unknown, LoadResult> = v.object({
  accepted: v.number(),
  acceptedInAll: v.number(),
  rejected: v.number(),
  seconds: v.number(),
  p50Ms: v.number(),
  p99Ms: v.number(),
})

/** What one turn came to. */
interface Turn {
  eventsPerSecond: number
  p50Ms: number
  p99Ms: number
  cpuMicrosPerEvent: number
  residentMb: number
  /** By the server and its database server. */
  writtenBytesPerEvent: number
  database?: DatabaseTurn
}

/** What one turn cost the database server. */
interface DatabaseTurn {
  cpuMicrosPerEvent: number
  walBytesPerEvent: number
  eventsPerCommit: number
}

/** A server that is measured, and how many events it has taken. */
interface Lane {
  name: string
  target: Target
  acceptedInAll: number
  turns: Turn[]
}

/** Runs the whole benchmark and prints a table. */
export async function runIngestBench(): Promise<void> {
  const seconds = Number(process.env['BENCH_SECONDS'] ?? 3)
  const rounds = Number(process.env['BENCH_ROUNDS'] ?? 7)
  console.log(
    `ingest: ${rounds} rounds of ${seconds} s per level, envelopes of 6 kB over 200 issues, ${cpus().length} cores shared with the generator\n`,
  )
  const rows = []
  for (const connections of levels) {
    const lanes = await measure(connections, { rounds, seconds })
    const [floor] = lanes
    for (const { name, turns } of lanes) {
      const ratios = turns.map(
        ({ eventsPerSecond }, round) =>
          eventsPerSecond / (floor?.turns[round]?.eventsPerSecond ?? Number.NaN),
      )
      rows.push({ connections, server: name, ...toRow(turns), 'of the floor': toMedian(ratios).toFixed(2) })
    }
  }
  console.table(rows)
}

/** The floor is the first. */
async function measure(
  connections: number,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<Lane[]> {
  const databaseUrl = process.env['DATABASE_URL']
  const lanes: Lane[] = []
  const add = (name: string, target: Target) => lanes.push({ name, target, acceptedInAll: 0, turns: [] })
  try {
    add('floor', await startFloor())
    add('SQLite', await startCulvert())
    if (databaseUrl !== undefined) add('PostgreSQL', await startCulvertOnPostgres(databaseUrl))
    for (const lane of lanes) await warmUp(lane, connections)
    for (let round = 0; round < rounds; round += 1) {
      for (const lane of lanes) lane.turns.push(await run(lane, connections, seconds))
    }
    for (const lane of lanes) await assertStored(lane)
  } finally {
    await Promise.all(lanes.map(({ target }) => target.stop()))
  }
  return lanes
}

/**
 * Loads a server until its engine has compiled what it runs; one that is too slow for so many is not waited
 * for longer.
 */
async function warmUp(lane: Lane, connections: number): Promise<void> {
  for (let load = 0; load < warmUpLoads && lane.acceptedInAll < warmUpEvents; load += 1)
    await run(lane, connections, warmUpSeconds)
}

async function run(lane: Lane, connections: number, seconds: number): Promise<Turn> {
  const { target } = lane
  const generator = join(import.meta.dirname, 'ingest', 'generator.ts')
  const args = [target.origin, target.path, connections, turnWarmUpMs, seconds * 1000].map(String)
  const child = spawn(process.execPath, [generator, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  await lines.next()
  const before = readProcessUsage(target.pid)
  const databaseBefore = await target.databaseMeter?.read()
  const { value } = await lines.next()
  const after = readProcessUsage(target.pid)
  const databaseAfter = await target.databaseMeter?.read()
  if (child.exitCode === null) await once(child, 'exit')
  const result = v.parse(loadResult, JSON.parse(String(value)))
  if (result.rejected > 0) throw new Error(`${result.rejected} events were rejected`)
  lane.acceptedInAll += result.acceptedInAll
  const database = databaseBefore && databaseAfter && subtract(databaseAfter, databaseBefore)
  const writtenBytes = after.writtenBytes - before.writtenBytes + (database?.writtenBytes ?? 0)
  return {
    eventsPerSecond: result.accepted / result.seconds,
    p50Ms: result.p50Ms,
    p99Ms: result.p99Ms,
    cpuMicrosPerEvent: ((after.cpuSeconds - before.cpuSeconds) / result.accepted) * 1e6,
    residentMb: after.residentBytes / 1e6,
    writtenBytesPerEvent: writtenBytes / result.accepted,
    database: database && {
      cpuMicrosPerEvent: database.cpuMicros / result.accepted,
      walBytesPerEvent: database.walBytes / result.accepted,
      eventsPerCommit: result.accepted / database.commitCount,
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

async function assertStored({ name, target, acceptedInAll }: Lane): Promise<void> {
  const stored = await target.countEvents()
  if (stored !== acceptedInAll)
    throw new Error(`${name}: ${acceptedInAll} events were accepted, ${stored} are stored`)
}

/** The medians of the rounds. */
function toRow(turns: readonly Turn[]) {
  const median = (value: (turn: Turn) => number) => toMedian(turns.map(value))
  const ofDatabase = (value: (turn: DatabaseTurn) => number) =>
    median(({ database }) => (database === undefined ? Number.NaN : value(database)))
  const own = {
    'events/s': Math.round(median(({ eventsPerSecond }) => eventsPerSecond)),
    'p50 ms': Number(median(({ p50Ms }) => p50Ms).toFixed(2)),
    'p99 ms': Number(median(({ p99Ms }) => p99Ms).toFixed(2)),
    'CPU µs/event': Math.round(median(({ cpuMicrosPerEvent }) => cpuMicrosPerEvent)),
    'RSS MB': Math.round(median(({ residentMb }) => residentMb)),
    'written kB/event': Number((median(({ writtenBytesPerEvent }) => writtenBytesPerEvent) / 1e3).toFixed(1)),
  }
  if (turns[0]?.database === undefined) return own
  return {
    ...own,
    'database µs/event': Math.round(ofDatabase(({ cpuMicrosPerEvent }) => cpuMicrosPerEvent)),
    'log kB/event': Number((ofDatabase(({ walBytesPerEvent }) => walBytesPerEvent) / 1e3).toFixed(1)),
    'events/commit': Number(ofDatabase(({ eventsPerCommit }) => eventsPerCommit).toFixed(1)),
  }
}
