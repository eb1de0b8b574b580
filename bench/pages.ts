/**
 * CPU per page and pages per second of a running Culvert: the list of issues with 50 rows, and an issue with
 * its latest event, at 8 connections; and a baseline for each, measured in the same run, which renders the
 * same visible content with React alone. The server has one core and the load generator another, if the
 * machine has two.
 *
 * npm run bench -- pages           BENCH_SECONDS=3 for a short run (default 8 per page)
 */
import { cpus } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { readProcessUsage } from './ingest/process-usage.ts'
import type { PageLoadResult } from './pages/generator.ts'
import { canPin, cores, spawnPinned, stopProcess } from './pages/pinned-process.ts'
import { startCulvert, startFloor, type PageServer } from './pages/targets.ts'
import { readProperty } from './support/run-child.ts'

const connections = 8
/** The first thousand pages take up to half as much CPU time again, until V8 has optimized what they run. */
const warmUpMs = 15_000

const pageLoadResult: v.GenericSchema<unknown, PageLoadResult> = v.object({
  pages: v.number(),
  seconds: v.number(),
  htmlBytes: v.number(),
  p50Ms: v.number(),
  p99Ms: v.number(),
})

interface Measurement extends PageLoadResult {
  /** CPU time of the server, user and system. */
  cpuMs: number
}

/** Runs the whole benchmark and prints a table. */
export async function runPagesBench(): Promise<void> {
  const seconds = Number(process.env['BENCH_SECONDS'] ?? 8)
  const where = canPin ? 'the server on one core, the load on another' : 'server and load share all cores'
  console.log(`pages: ${seconds} s each, ${connections} connections, ${cpus().length} cores, ${where}\n`)
  const culvert = await startCulvert()
  try {
    const list = await readPage(culvert, '/issues')
    const latest = /href="(\/issues\/[0-9]+)"/.exec(list)?.[1]
    if (latest === undefined) throw new Error('the store has no issues')
    await compare(culvert, '/issues', { html: list, seconds })
    await compare(culvert, latest, { html: await readPage(culvert, latest), seconds })
  } finally {
    await culvert.stop()
  }
}

/** Measures a page and its baseline, and prints both. */
async function compare(
  culvert: PageServer,
  path: string,
  { html, seconds }: { html: string; seconds: number },
): Promise<void> {
  const page = await measure(culvert, path, seconds)
  const floor = await measureFloor(html, seconds)
  console.table([toRow(path, page), toRow(`floor of ${path}`, floor)])
  const pagesRatio = page.pages / page.seconds / (floor.pages / floor.seconds)
  // The more reliable ratio on a busy machine: waiting for a core reduces pages per second, but uses no CPU
  // time.
  const cpuRatio = page.cpuMs / page.pages / (floor.cpuMs / floor.pages)
  console.log(
    `${pagesRatio.toFixed(2)} of the floor's pages per second, ${cpuRatio.toFixed(1)} times its CPU per page\n`,
  )
}

async function readPage({ origin, cookie = '' }: PageServer, path: string): Promise<string> {
  const response = await fetch(`${origin}${path}`, { headers: { accept: 'text/html', cookie } })
  if (!response.ok) throw new Error(`${path} was answered ${response.status}`)
  return response.text()
}

async function measureFloor(html: string, seconds: number): Promise<Measurement> {
  const server = await startFloor(html)
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
