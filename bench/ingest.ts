/**
 * Events per second that Culvert accepts, commits and shows, at 1, 16 and 64 connections, and what each
 * costs, beside the floor. Both servers run at once, warm, and are loaded one after the other in short turns,
 * again and again, so that whatever else the machine does, and that their stores grow, hits both alike. An
 * event counts when it is answered 200, which is after its commit; at the end the rows in the store must be
 * as many as the answers.
 *
 *     npm run bench -- ingest          BENCH_SECONDS and BENCH_ROUNDS (3 and 7) for other runs
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import * as v from 'valibot'
import type { LoadResult } from './ingest/generator.ts'
import { readProcessUsage } from './ingest/process-usage.ts'
import { startCulvert, startFloor, type Target } from './ingest/target.ts'
import { toMedian } from './median.ts'

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
}

/** A server that is measured, and how many events it has taken. */
interface Lane {
  target: Target
  acceptedInAll: number
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
    const { floor, culvert } = await measure(connections, { rounds, seconds })
    rows.push(toRow('floor', connections, floor), toRow('culvert', connections, culvert))
    const ratios = culvert.map(
      ({ eventsPerSecond }, round) => eventsPerSecond / (floor[round]?.eventsPerSecond ?? Number.NaN),
    )
    rows.push({ connections, server: 'culvert / floor', 'events/s': toMedian(ratios).toFixed(2) })
  }
  console.table(rows)
}

async function measure(
  connections: number,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<{ floor: Turn[]; culvert: Turn[] }> {
  const floor: Lane = { target: await startFloor(), acceptedInAll: 0 }
  const culvert: Lane = { target: await startCulvert(), acceptedInAll: 0 }
  const turns: { floor: Turn[]; culvert: Turn[] } = { floor: [], culvert: [] }
  try {
    for (const lane of [floor, culvert]) await warmUp(lane, connections)
    for (let round = 0; round < rounds; round += 1) {
      turns.floor.push(await run(floor, connections, seconds))
      turns.culvert.push(await run(culvert, connections, seconds))
    }
    for (const lane of [floor, culvert]) assertStored(lane)
  } finally {
    await Promise.all([floor.target.stop(), culvert.target.stop()])
  }
  return turns
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
  const { value } = await lines.next()
  const after = readProcessUsage(target.pid)
  if (child.exitCode === null) await once(child, 'exit')
  const result = v.parse(loadResult, JSON.parse(String(value)))
  if (result.rejected > 0) throw new Error(`${result.rejected} events were rejected`)
  lane.acceptedInAll += result.acceptedInAll
  return {
    eventsPerSecond: result.accepted / result.seconds,
    p50Ms: result.p50Ms,
    p99Ms: result.p99Ms,
    cpuMicrosPerEvent: ((after.cpuSeconds - before.cpuSeconds) / result.accepted) * 1e6,
    residentMb: after.residentBytes / 1e6,
  }
}

function assertStored({ target, acceptedInAll }: Lane): void {
  const stored = target.countEvents()
  if (stored !== acceptedInAll) throw new Error(`${acceptedInAll} events were accepted, ${stored} are stored`)
}

/** The medians of the rounds. */
function toRow(server: string, connections: number, turns: readonly Turn[]) {
  const median = (value: (turn: Turn) => number) => toMedian(turns.map(value))
  return {
    connections,
    server,
    'events/s': Math.round(median(({ eventsPerSecond }) => eventsPerSecond)),
    'p50 ms': Number(median(({ p50Ms }) => p50Ms).toFixed(2)),
    'p99 ms': Number(median(({ p99Ms }) => p99Ms).toFixed(2)),
    'CPU µs/event': Math.round(median(({ cpuMicrosPerEvent }) => cpuMicrosPerEvent)),
    'RSS MB': Math.round(median(({ residentMb }) => residentMb)),
  }
}
