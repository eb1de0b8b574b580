import { startLoad, type LoadOptions } from '../ingest/load.ts'
import { readProcessUsage } from '../ingest/process-usage.ts'
import { spansOfExport, spansOfPageLoad } from '../ingest/sample-traces.ts'
import { startCulvert, startCulvertOnPostgres, startFloor, type Target } from '../ingest/target.ts'
import { toMedian } from '../support/median.ts'
import { benchEnvelopePath, benchOtlpPath } from '../support/project.ts'

/** A kind of request, and how it is sent. */
interface TraceLoad {
  name: string
  path: string
  connections: number
  spansPerRequest: number
  samples: LoadOptions['samples']
}

/** Envelopes with the transaction of a page load. */
export const pageLoads: TraceLoad = {
  name: 'page loads',
  path: benchEnvelopePath,
  connections: 64,
  spansPerRequest: spansOfPageLoad,
  samples: { content: 'pageLoads', count: 2_000 },
}

/** Requests of an OpenTelemetry exporter. */
const otlpExports: TraceLoad = {
  name: 'OTLP',
  path: benchOtlpPath,
  connections: 16,
  spansPerRequest: spansOfExport,
  samples: { content: 'exports', count: 64 },
}

interface RunResult {
  spansPerSecond: number
  p50Ms: number
  p99Ms: number
  cpuMicrosPerSpan: number
  databaseMicrosPerSpan: number
  residentMb: number
  writtenBytesPerSpan: number
}

interface MeasuredServer {
  name: string
  load: TraceLoad
  target: Target
  isFloor: boolean
  requests: number
  rejected: number
  runs: RunResult[]
}

/** The length of a run. */
export interface RunLength {
  rounds: number
  seconds: number
}

/** Until V8 has compiled the hot code. */
const warmUpSeconds = 8
/** Start of each run, which is not measured: the connections are new. */
const runWarmUpMs = 500

/**
 * Measures the spans per second that are accepted and committed, and their costs, for each kind of request,
 * compared with a baseline. The servers run at the same time and are loaded alternately. At the end the spans
 * in the store must equal those that were answered with 200. Requests rejected with 429 during overload are
 * counted. Returns rows of a table.
 */
export async function measureTraceIngest(length: RunLength, postgresUrl: string | undefined) {
  const rows = []
  for (const load of [pageLoads, otlpExports]) {
    const servers: MeasuredServer[] = []
    const add = (name: string, target: Target) =>
      servers.push({ name, load, target, isFloor: name === 'floor', requests: 0, rejected: 0, runs: [] })
    try {
      add('floor', await startFloor('../traces/floor-server.ts'))
      add('SQLite', await startCulvert())
      if (postgresUrl !== undefined) add('PostgreSQL', await startCulvertOnPostgres(postgresUrl))
      for (const server of servers) await run(server, warmUpSeconds)
      for (const server of servers) server.runs = []
      for (let round = 0; round < length.rounds; round += 1)
        for (const server of servers) await run(server, length.seconds)
      for (const server of servers) rows.push({ load: load.name, ...(await toRow(server, servers[0])) })
    } finally {
      await Promise.all(servers.map(({ target }) => target.stop()))
    }
  }
  return rows
}

async function run(server: MeasuredServer, seconds: number): Promise<void> {
  const { target, isFloor, load } = server
  const { path, connections, samples, spansPerRequest } = load
  const generator = startLoad({
    origin: target.origin,
    path: isFloor ? '/' : path,
    connections,
    warmUpMs: runWarmUpMs,
    seconds,
    samples,
  })
  await generator.isMeasuring
  const before = { own: readProcessUsage(target.pid), database: await target.databaseMeter?.read() }
  const sent = await generator.result
  const after = { own: readProcessUsage(target.pid), database: await target.databaseMeter?.read() }
  server.requests += sent.acceptedInAll
  server.rejected += sent.rejected
  const spans = sent.accepted * spansPerRequest
  const ofDatabase = (value: 'cpuMicros' | 'writtenBytes') =>
    (after.database?.[value] ?? 0) - (before.database?.[value] ?? 0)
  // Data sent to a database server is counted, too; its client writes no files.
  const ownBytes = after.own.writtenBytes - before.own.writtenBytes
  const writtenBytes = after.database === undefined ? ownBytes : ofDatabase('writtenBytes')
  server.runs.push({
    spansPerSecond: spans / sent.seconds,
    p50Ms: sent.p50Ms,
    p99Ms: sent.p99Ms,
    cpuMicrosPerSpan: ((after.own.cpuSeconds - before.own.cpuSeconds) / spans) * 1e6,
    databaseMicrosPerSpan: ofDatabase('cpuMicros') / spans,
    residentMb: after.own.residentBytes / 1e6,
    writtenBytesPerSpan: writtenBytes / spans,
  })
}

/** Bytes on disk of the table of segments with its indexes. */
const sizeOfSegments = {
  sqlite: `SELECT sum(pgsize) AS n FROM dbstat WHERE aggregate = TRUE AND name IN
    (SELECT name FROM sqlite_schema WHERE tbl_name = 'trace_segments')`,
  postgres: `SELECT pg_total_relation_size('trace_segments') AS n`,
}

async function toRow(server: MeasuredServer, floor: MeasuredServer | undefined) {
  const { name, load, target, isFloor, requests, rejected, runs } = server
  const median = (value: (result: RunResult) => number) => toMedian(runs.map(value))
  const ratios = runs.map(
    ({ spansPerSecond }, at) => spansPerSecond / (floor?.runs[at]?.spansPerSecond ?? Number.NaN),
  )
  const row = {
    server: name,
    'spans/s': Math.round(median(({ spansPerSecond }) => spansPerSecond)),
    'p50 ms': median(({ p50Ms }) => p50Ms).toFixed(1),
    'p99 ms': median(({ p99Ms }) => p99Ms).toFixed(1),
    'CPU µs/span': median(({ cpuMicrosPerSpan }) => cpuMicrosPerSpan).toFixed(1),
    'database µs/span': median(({ databaseMicrosPerSpan }) => databaseMicrosPerSpan).toFixed(1),
    'written B/span': Math.round(median(({ writtenBytesPerSpan }) => writtenBytesPerSpan)),
    'RSS MB': Math.round(Math.max(...runs.map(({ residentMb }) => residentMb))),
    'of the floor': toMedian(ratios).toFixed(2),
    'rejected requests': rejected,
  }
  if (isFloor) return row
  const accepted = requests * load.spansPerRequest
  const stored = await target.readNumber('SELECT sum(span_count) AS n FROM trace_segments')
  if (stored !== accepted) throw new Error(`${name}: ${accepted} spans were accepted, ${stored} are stored`)
  const bytes = await target.readNumber(sizeOfSegments[name === 'SQLite' ? 'sqlite' : 'postgres'])
  return { ...row, 'stored spans': stored, 'stored B/span': Math.round(bytes / stored) }
}
