/**
 * Events per second that Culvert accepts, commits and shows, at 1, 16 and 64 connections, and what each costs; beside
 * it the floor measured in the same run. An event counts when it is answered 200, which is after its commit; at the
 * end the rows in the store must be as many as the answers.
 *
 *     npm run bench -- ingest          BENCH_SECONDS=3 for a short run (default 10 per level)
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

const levels = [1, 16, 64]
const warmUpMs = 5_000

const loadResult: v.GenericSchema<unknown, LoadResult> = v.object({
  accepted: v.number(),
  acceptedInAll: v.number(),
  refused: v.number(),
  seconds: v.number(),
  p50Ms: v.number(),
  p99Ms: v.number(),
})

interface Measurement {
  eventsPerSecond: number
  p50Ms: number
  p99Ms: number
  cpuMicrosPerEvent: number
  residentMb: number
}

/** Runs the whole benchmark and prints a table. */
export async function runIngestBench(): Promise<void> {
  const seconds = Number(process.env['BENCH_SECONDS'] ?? 10)
  console.log(
    `ingest: ${seconds} s per level, envelopes of 6 kB over 200 issues, ${cpus().length} cores shared with the generator\n`,
  )
  const rows = []
  for (const connections of levels) {
    const floor = await measure(startFloor, connections, seconds)
    const culvert = await measure(startCulvert, connections, seconds)
    rows.push(toRow('floor', connections, floor), toRow('culvert', connections, culvert))
    const ratio = culvert.eventsPerSecond / floor.eventsPerSecond
    rows.push({ connections, server: 'culvert / floor', 'events/s': ratio.toFixed(2) })
  }
  console.table(rows)
}

async function measure(
  start: () => Promise<Target>,
  connections: number,
  seconds: number,
): Promise<Measurement> {
  const target = await start()
  try {
    const { result, cpuSeconds, residentBytes } = await load(target, connections, seconds)
    if (result.refused > 0) throw new Error(`${result.refused} events were refused`)
    const stored = target.countEvents()
    if (stored !== result.acceptedInAll)
      throw new Error(`${result.acceptedInAll} events were accepted, ${stored} are stored`)
    return {
      eventsPerSecond: result.accepted / result.seconds,
      p50Ms: result.p50Ms,
      p99Ms: result.p99Ms,
      cpuMicrosPerEvent: (cpuSeconds / result.accepted) * 1e6,
      residentMb: residentBytes / 1e6,
    }
  } finally {
    await target.stop()
  }
}

interface Loaded {
  result: LoadResult
  /** Of the server, in the measured time. */
  cpuSeconds: number
  residentBytes: number
}

async function load(target: Target, connections: number, seconds: number): Promise<Loaded> {
  const generator = join(import.meta.dirname, 'ingest', 'generator.ts')
  const args = [
    generator,
    target.origin,
    target.path,
    String(connections),
    String(warmUpMs),
    String(seconds * 1000),
  ]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  await lines.next()
  const before = readProcessUsage(target.pid)
  const { value } = await lines.next()
  const after = readProcessUsage(target.pid)
  if (child.exitCode === null) await once(child, 'exit')
  const result = v.parse(loadResult, JSON.parse(String(value)))
  return { result, cpuSeconds: after.cpuSeconds - before.cpuSeconds, residentBytes: after.residentBytes }
}

function toRow(server: string, connections: number, measured: Measurement) {
  return {
    connections,
    server,
    'events/s': Math.round(measured.eventsPerSecond),
    'p50 ms': Number(measured.p50Ms.toFixed(2)),
    'p99 ms': Number(measured.p99Ms.toFixed(2)),
    'CPU µs/event': Math.round(measured.cpuMicrosPerEvent),
    'RSS MB': Math.round(measured.residentMb),
  }
}
