/**
 * Pages per second of a running Culvert: the list of issues with 50 rows, and an issue with its latest event,
 * at 8 connections; and the floor measured in the same run, which renders the same rows with React alone. The
 * server has one core and the load another, if the machine has two.
 *
 *     npm run bench -- pages           BENCH_SECONDS=3 for a short run (default 8 per page)
 */
import { cpus } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { readProcessUsage } from './ingest/process-usage.ts'
import type { FloorRow } from './pages/floor-view.ts'
import type { PageLoadResult } from './pages/generator.ts'
import { canPin, cores, readProperty, spawnPinned, stopProcess } from './pages/pinned-process.ts'
import { startCulvert, startFloor, type PageServer } from './pages/targets.ts'

const connections = 8
const warmUpMs = 3_000

const pageLoadResult: v.GenericSchema<unknown, PageLoadResult> = v.object({
  pages: v.number(),
  seconds: v.number(),
  htmlBytes: v.number(),
  p50Ms: v.number(),
  p99Ms: v.number(),
})

interface Measurement extends PageLoadResult {
  /** Of the server, user and system. */
  cpuMs: number
}

/** Runs the whole benchmark and prints a table. */
export async function runPagesBench(): Promise<void> {
  const seconds = Number(process.env['BENCH_SECONDS'] ?? 8)
  const where = canPin ? 'the server on one core, the load on another' : 'server and load share all cores'
  console.log(`pages: ${seconds} s each, ${connections} connections, ${cpus().length} cores, ${where}\n`)
  const culvert = await startCulvert()
  try {
    const [latest] = culvert.rows
    if (latest === undefined) throw new Error('the store has no issues')
    const list = await measure(culvert, '/issues', seconds)
    const issue = await measure(culvert, `/issues/${latest.id}`, seconds)
    const floor = await measureFloor(culvert.rows, seconds)
    console.table([
      toRow(`/issues, ${culvert.rows.length} rows`, list),
      toRow('/issues/$issueId', issue),
      toRow(`floor, ${culvert.rows.length} rows`, floor),
    ])
    const pagesRatio = list.pages / list.seconds / (floor.pages / floor.seconds)
    // On a busy machine this is the one to believe: waiting for a core costs pages, but no CPU time.
    const cpuRatio = list.cpuMs / list.pages / (floor.cpuMs / floor.pages)
    console.log(
      `/issues / floor: ${pagesRatio.toFixed(2)} of its pages per second, ${cpuRatio.toFixed(1)} times its CPU per page`,
    )
  } finally {
    await culvert.stop()
  }
}

async function measureFloor(rows: FloorRow[], seconds: number): Promise<Measurement> {
  const server = await startFloor(rows)
  try {
    return await measure(server, '/', seconds)
  } finally {
    await server.stop()
  }
}

async function measure(server: PageServer, path: string, seconds: number): Promise<Measurement> {
  const args = [
    `${server.origin}${path}`,
    server.cookie ?? '',
    String(connections),
    String(warmUpMs),
    String(seconds * 1000),
  ]
  const child = spawnPinned(cores.generator, [join(import.meta.dirname, 'pages/generator.ts'), ...args])
  try {
    const finished = readProperty(child, 'result')
    await readProperty(child, 'isMeasuring')
    const before = readProcessUsage(server.pid)
    const result = v.parse(pageLoadResult, await finished)
    const after = readProcessUsage(server.pid)
    return { ...result, cpuMs: (after.cpuSeconds - before.cpuSeconds) * 1000 }
  } finally {
    await stopProcess(child)
  }
}

function toRow(page: string, measured: Measurement) {
  return {
    page,
    'pages/s': Math.round(measured.pages / measured.seconds),
    'p50 ms': Number(measured.p50Ms.toFixed(1)),
    'p99 ms': Number(measured.p99Ms.toFixed(1)),
    'CPU ms/page': Number((measured.cpuMs / measured.pages).toFixed(2)),
    'HTML kB': Number((measured.htmlBytes / 1000).toFixed(1)),
  }
}
