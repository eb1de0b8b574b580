import { startLoad } from '../ingest/load.ts'
import { startCulvert, startCulvertOnPostgres, type Target } from '../ingest/target.ts'
import { toMedian } from '../support/median.ts'
import { benchEnvelopePath } from '../support/project.ts'
import { pageLoads, type RunLength } from './ingest.ts'

/** Spans per second while errors are measured. */
const spansPerSecond = 5_000
/** Until V8 has compiled the hot code. */
const warmUpSeconds = 10

interface RunResult {
  errorsPerSecond: number
  p50Ms: number
  p99Ms: number
  rejectedErrors: number
  rejectedPageLoads: number
}

/** The rates at which errors are sent: as fast as they are answered, or at a rate with spare capacity. */
const errorLoads = [
  { name: 'as fast as possible', errorsPerSecond: 0, connections: 64 },
  { name: '1,000 errors/s', errorsPerSecond: 1_000, connections: 64 },
]

/**
 * Measures errors per second and their latency alone, and while spans arrive at a steady rate, alternately on
 * one server. Returns rows of a table.
 */
export async function measureErrors(length: RunLength, postgresUrl: string | undefined) {
  const rows = []
  for (const engine of postgresUrl === undefined ? ['SQLite'] : ['SQLite', 'PostgreSQL']) {
    const target =
      engine === 'SQLite' || postgresUrl === undefined
        ? await startCulvert()
        : await startCulvertOnPostgres(postgresUrl)
    try {
      for (const withSpans of [false, true])
        await run(target, { errorsPerSecond: 0, connections: 64, seconds: warmUpSeconds, withSpans })
      for (const load of errorLoads) {
        const alone: RunResult[] = []
        const withSpans: RunResult[] = []
        for (let round = 0; round < length.rounds; round += 1) {
          alone.push(await run(target, { ...load, seconds: length.seconds, withSpans: false }))
          withSpans.push(await run(target, { ...load, seconds: length.seconds, withSpans: true }))
        }
        rows.push({ engine, errors: load.name, ...toRow(alone, withSpans) })
      }
    } finally {
      await target.stop()
    }
  }
  return rows
}

interface RunOptions {
  errorsPerSecond: number
  connections: number
  seconds: number
  withSpans: boolean
}

async function run(
  target: Target,
  { errorsPerSecond, connections, seconds, withSpans }: RunOptions,
): Promise<RunResult> {
  const warmUpMs = 1_000
  const spans = withSpans
    ? startLoad({
        origin: target.origin,
        path: pageLoads.path,
        connections: 8,
        warmUpMs,
        seconds: seconds + 1,
        requestsPerSecond: spansPerSecond / pageLoads.spansPerRequest,
        samples: pageLoads.samples,
      })
    : undefined
  await spans?.isMeasuring
  const errors = startLoad({
    origin: target.origin,
    path: benchEnvelopePath,
    connections,
    warmUpMs,
    seconds,
    requestsPerSecond: errorsPerSecond,
    samples: { count: 20_000 },
  })
  const sent = await errors.result
  const sentSpans = await spans?.result
  return {
    rejectedErrors: sent.rejected,
    rejectedPageLoads: sentSpans?.rejected ?? 0,
    errorsPerSecond: sent.accepted / sent.seconds,
    p50Ms: sent.p50Ms,
    p99Ms: sent.p99Ms,
  }
}

function toRow(alone: readonly RunResult[], withSpans: readonly RunResult[]) {
  const of = (runs: readonly RunResult[], value: (result: RunResult) => number) => toMedian(runs.map(value))
  const ratio = (value: (result: RunResult) => number) =>
    toMedian(withSpans.map((result, at) => value(result) / value(alone[at] ?? result))).toFixed(2)
  const rejected = (value: (result: RunResult) => number) =>
    [...alone, ...withSpans].reduce((sum, result) => sum + value(result), 0)
  const rate = (result: RunResult) => result.errorsPerSecond
  const p99 = (result: RunResult) => result.p99Ms
  return {
    'alone errors/s': Math.round(of(alone, rate)),
    'with spans errors/s': Math.round(of(withSpans, rate)),
    ratio: ratio(rate),
    'alone p50/p99 ms': `${of(alone, ({ p50Ms }) => p50Ms).toFixed(1)} / ${of(alone, p99).toFixed(1)}`,
    'with spans p50/p99 ms': `${of(withSpans, ({ p50Ms }) => p50Ms).toFixed(1)} / ${of(withSpans, p99).toFixed(1)}`,
    'ratio of p99': ratio(p99),
    'rejected errors, page loads': `${rejected(({ rejectedErrors }) => rejectedErrors)}, ${rejected(({ rejectedPageLoads }) => rejectedPageLoads)}`,
  }
}
