/**
 * The duration of the console's reads with a million events in the store: idle, and during ingest of 2,000
 * events a second. The store is filled first, or read from a data directory that `fill` created (its file is
 * changed). Times are measured by a client on the same machine, from request to answer, so waiting for the
 * event loop is included.
 *
 * npm run bench -- reads [DATA_DIR]          BENCH_EVENTS=100000 for a small store
 *     npm run bench -- reads postgres [fill|filled]
 *
 * The second command measures PostgreSQL: a new server, or the one of `DATABASE_URL`. `fill` only fills the
 * empty database of `DATABASE_URL`, which takes minutes; `filled` only measures it. BENCH_ROUNDS (100) of
 * each read are measured.
 */
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createPostgresDatabase } from '#test/postgres-database.ts'
import { createTempDir } from '#test/temp-dir.ts'
import { hourMs } from '#time/time-steps.ts'
import { startLoad } from './ingest/load.ts'
import { readProcessUsage } from './ingest/process-usage.ts'
import { fillStore } from './reads/fill-store.ts'
import { openBenchPostgres } from './support/postgres-server.ts'
import { benchEnvelopePath } from './support/project.ts'
import { readProperty, startChild } from './support/run-child.ts'

const readNames = [
  'list',
  'list-by-events',
  'list-of-environment',
  'list-of-no-environment',
  'detail-of-busy-issue',
  'detail-of-any-issue',
  'list-by-trend-of-7-days',
  'search-by-common-tag',
  'search-by-rare-tag',
  'search-by-two-tags',
  'search-by-unknown-tag',
  'search-by-common-word',
  'search-by-rare-word',
  'search-by-unknown-word',
  'search-asking-each',
  'search-of-everything',
  'digest-lookup',
  'tag-counts-of-busy-issue',
]
const roundsPerRead = Number(process.env['BENCH_ROUNDS'] ?? 100)
const warmUpRounds = 20
const eventsPerSecond = 2_000

/** Runs the whole benchmark and prints a table. */
export async function runReadsBench(): Promise<void> {
  const given = process.argv[3]
  const eventCount = Number(process.env['BENCH_EVENTS'] ?? 1_000_000)
  if (given === 'postgres') {
    await runOnPostgres(eventCount, process.argv[4])
    return
  }
  if (given !== undefined) {
    await measureReads(given)
    return
  }
  const folder = await createTempDir()
  try {
    console.log(`filling a store with ${eventCount.toLocaleString('en')} events of 20,000 issues`)
    await fillStore({ path: join(folder.path, 'culvert.db'), eventCount, issueCount: 20_000 })
    const bytes = statSync(join(folder.path, 'culvert.db')).size
    console.log(`${(bytes / 1e9).toFixed(2)} GB, ${Math.round(bytes / eventCount)} bytes an event`)
    await measureReads(folder.path)
  } finally {
    await folder.remove()
  }
}

/** How many events of the database share a payload. */
const copies = 5

async function runOnPostgres(eventCount: number, step: string | undefined): Promise<void> {
  const given = process.env['DATABASE_URL']
  if (step === 'fill' && given !== undefined) {
    await fillPostgres(given, eventCount)
    return
  }
  const folder = await createTempDir()
  if (step === 'filled') {
    await measureReads(folder.path, given)
    await folder.remove()
    return
  }
  const server = await openBenchPostgres()
  const { url, drop } = await createPostgresDatabase(server.url)
  try {
    await fillPostgres(url, eventCount)
    await measureReads(folder.path, url)
  } finally {
    await drop()
    await server.stop()
    await folder.remove()
  }
}

async function fillPostgres(url: string, eventCount: number): Promise<void> {
  console.log(`filling PostgreSQL with ${eventCount.toLocaleString('en')} events of 20,000 issues`)
  await fillStore({ path: url, eventCount, issueCount: 20_000, copies })
}

async function measureReads(dataDir: string, databaseUrl?: string): Promise<void> {
  const { child, origin, startMs } = await startReadServer(dataDir, databaseUrl)
  const pid = child.pid ?? 0
  try {
    console.log(`ready after ${Math.round(startMs)} ms, ${residentMb(pid)} MB resident`)
    await measureAll(origin, warmUpRounds)
    const idle = await measureAll(origin, roundsPerRead)
    const idleMb = residentMb(pid)
    const connections = 64
    const seconds = hourMs / 1000
    const load = startLoad({
      origin,
      path: benchEnvelopePath,
      connections,
      warmUpMs: 2_000,
      seconds,
      requestsPerSecond: eventsPerSecond,
    })
    await load.isMeasuring
    const before = readProcessUsage(pid).cpuSeconds
    const busy = await measureAll(origin, roundsPerRead)
    const cpuSeconds = readProcessUsage(pid).cpuSeconds - before
    const busyMb = residentMb(pid)
    load.stop()
    const sent = await load.result
    console.table(
      readNames.map((read, at) => ({
        read,
        ...label('idle', idle.times[at]),
        ...label('busy', busy.times[at]),
      })),
    )
    console.log(
      `${Math.round(sent.accepted / sent.seconds)} events/s were received; ${((cpuSeconds / busy.seconds) * 100).toFixed(0)} % of a core; ` +
        `${idleMb} MB resident before, ${busyMb} MB meanwhile`,
    )
  } finally {
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
  }
}

async function startReadServer(dataDir: string, databaseUrl: string | undefined) {
  const startedAt = performance.now()
  const variables = { NODE_ENV: 'production', DATABASE_URL: databaseUrl }
  const child = startChild('reads/read-server.ts', [dataDir], variables)
  const origin = String(await readProperty(child, 'address'))
  return { child, origin, startMs: performance.now() - startedAt }
}

interface Times {
  p50Ms: number
  p95Ms: number
}

/** Runs one read after another, with a pause in between, because a user reads between clicks. */
async function measureAll(origin: string, rounds: number): Promise<{ times: Times[]; seconds: number }> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const tookMs = readNames.map((): number[] => [])
  const startedAt = performance.now()
  for (let round = 0; round < rounds; round += 1) {
    for (const [at, name] of readNames.entries()) {
      await sleep(2)
      tookMs[at]?.push(await readOnce(`${origin}/${name}`, agent))
    }
  }
  agent.destroy()
  return { times: tookMs.map(toTimes), seconds: (performance.now() - startedAt) / 1000 }
}

function readOnce(url: string, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now()
    request(url, { agent }, (response) => {
      response.on('end', () => {
        if (response.statusCode === 200) resolve(performance.now() - startedAt)
        else reject(new Error(`${url} answered ${response.statusCode}`))
      })
      response.resume()
    })
      .on('error', reject)
      .end()
  })
}

function toTimes(tookMs: number[]): Times {
  const sorted = tookMs.toSorted((one, other) => one - other)
  const at = (quantile: number) => sorted[Math.floor(sorted.length * quantile)] ?? Number.NaN
  return { p50Ms: at(0.5), p95Ms: at(0.95) }
}

function label(when: string, times: Times | undefined) {
  return { [`${when} p50 ms`]: times?.p50Ms.toFixed(2), [`${when} p95 ms`]: times?.p95Ms.toFixed(2) }
}

function residentMb(pid: number): number {
  return Math.round(readProcessUsage(pid).residentBytes / 1e6)
}
