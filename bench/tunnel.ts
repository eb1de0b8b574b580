/**
 * What the tunnel costs beside plain ingest, measured in the same run: envelopes a second, the slowest of a hundred, CPU time and
 * memory, with no upstream, with one that takes everything, one that answers after a second, and one that is down. What is answered 200 must be
 * stored and, where the upstream is up, arrive there.
 *
 *     npm run bench -- tunnel          BENCH_SECONDS and BENCH_ROUNDS (5 and 3) for other runs
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import * as v from 'valibot'
import { parseDsn } from '#protocol/dsn.ts'
import type { Store } from '#server/store/database.ts'
import { createUpstream } from '#server/store/upstreams.ts'
import { benchEnvelopePath, benchProject } from './bench-project.ts'
import { readProcessUsage } from './ingest/process-usage.ts'
import { startCulvert } from './ingest/target.ts'
import { startChild } from './run-child.ts'

const connections = 64
const warmUpMs = 2_000
const upstreamDsn = `http://${'ab'.repeat(16)}@o4507.ingest.us.sentry.io/77`
const ownDsn = `http://${benchProject.publicKey}@127.0.0.1/${benchProject.id}`

const kinds = [
  'plain ingest',
  'tunnel, no upstream',
  'upstream up',
  'upstream slow',
  'upstream down',
] as const
type Kind = (typeof kinds)[number]

const loadResult = v.object({
  accepted: v.number(),
  acceptedInAll: v.number(),
  refused: v.number(),
  seconds: v.number(),
  p99Ms: v.number(),
})
type LoadResult = v.InferOutput<typeof loadResult>

/** Runs all of them in turn, several times, and prints a table of the rounds' medians. */
export async function runTunnelBench(): Promise<void> {
  const seconds = Number(process.env['BENCH_SECONDS'] ?? 5)
  const roundCount = Number(process.env['BENCH_ROUNDS'] ?? 3)
  console.log(
    `tunnel: ${roundCount} rounds of ${seconds} s each, ${connections} connections, envelopes of 6 kB\n`,
  )
  const rounds: Map<Kind, Measured>[] = []
  for (let round = 0; round < roundCount; round += 1) {
    const measured = new Map<Kind, Measured>()
    for (const kind of kinds) measured.set(kind, await measure(kind, seconds))
    rounds.push(measured)
  }
  console.table(kinds.map((kind) => toRow(kind, rounds)))
}

/** Ratios are to plain ingest of the same round: the machine may be another one a minute later. */
function toRow(kind: Kind, rounds: readonly Map<Kind, Measured>[]) {
  const median = (value: (measured: Measured, plain: Measured) => number) => {
    const values = rounds.flatMap((round) => {
      const [measured, plain] = [round.get(kind), round.get('plain ingest')]
      return measured === undefined || plain === undefined ? [] : value(measured, plain)
    })
    return values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN
  }
  return {
    kind,
    'envelopes/s': Math.round(median(({ perSecond }) => perSecond)),
    'of plain': median((of, plain) => of.perSecond / plain.perSecond).toFixed(2),
    'p99 ms': median(({ p99Ms }) => p99Ms).toFixed(0),
    'p99 of plain': median((of, plain) => of.p99Ms / plain.p99Ms).toFixed(2),
    'CPU µs': Math.round(median(({ cpuMicros }) => cpuMicros)),
    'MB after': Math.round(median(({ residentBytes }) => residentBytes) / 1e6),
    // On a machine that does much else the server sheds load: told to wait, a generator is no browser and does not.
    refused: median(({ refused }) => refused),
    'sent on after, s': kind === 'upstream up' ? median(({ drainSeconds }) => drainSeconds).toFixed(1) : '',
  }
}

/** What one kind came to in one round. */
interface Measured {
  perSecond: number
  p99Ms: number
  refused: number
  /** Of the server under load, for each envelope that it took: sending on is in it as far as it got. */
  cpuMicros: number
  residentBytes: number
  /** After the load, until everything had arrived at the upstream. */
  drainSeconds: number
}

async function measure(kind: Kind, seconds: number): Promise<Measured> {
  const upstream = kind === 'upstream up' || kind === 'upstream slow' ? await startUpstream(kind) : undefined
  const isForwarded = kind.startsWith('upstream')
  const connect = upstream?.address ?? '127.0.0.1:9'
  const target = await startCulvert({
    prepare: async (store) => (isForwarded ? addUpstream(store, connect) : undefined),
    path:
      kind === 'plain ingest'
        ? benchEnvelopePath
        : isForwarded
          ? '/monitoring?o=4507&p=77&r=us'
          : '/monitoring?o=1&p=42',
  })
  try {
    const dsn = isForwarded ? upstreamDsn : ownDsn
    const before = readProcessUsage(target.pid)
    const result = await load(target, { seconds, dsn: kind === 'plain ingest' ? '' : dsn })
    const after = readProcessUsage(target.pid)
    if (target.countEvents() !== result.acceptedInAll) throw new Error('not all that was accepted is stored')
    const drainSeconds = kind === 'upstream up' ? await upstream?.waitFor(result.acceptedInAll) : undefined
    return {
      perSecond: result.accepted / result.seconds,
      p99Ms: result.p99Ms,
      refused: result.refused,
      cpuMicros: ((after.cpuSeconds - before.cpuSeconds) * 1e6) / result.acceptedInAll,
      residentBytes: after.residentBytes,
      drainSeconds: drainSeconds ?? 0,
    }
  } finally {
    await target.stop()
    upstream?.stop()
  }
}

async function addUpstream(store: Store, connect: string): Promise<void> {
  const dsn = parseDsn(upstreamDsn)
  if (dsn === undefined) throw new Error('no DSN')
  await createUpstream(store, { projectId: benchProject.id, dsn, connect })
}

async function load(
  target: { origin: string; path: string },
  { seconds, dsn }: { seconds: number; dsn: string },
): Promise<LoadResult> {
  const generator = join(import.meta.dirname, 'ingest', 'generator.ts')
  const args = [target.origin, target.path, connections, warmUpMs, seconds * 1000].map(String)
  const child = spawn(process.execPath, [generator, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, BENCH_DSN: dsn },
  })
  let last = 'null'
  createInterface({ input: child.stdout }).on('line', (line) => {
    last = line
  })
  await once(child, 'close')
  return v.parse(loadResult, JSON.parse(last))
}

async function startUpstream(kind: Kind) {
  const child = startChild('tunnel/upstream.ts', [kind === 'upstream slow' ? 'slow' : 'up'])
  const lines = createInterface({ input: child.stdout ?? process.stdin })[Symbol.asyncIterator]()
  const read = async () => Number((await lines.next()).value)
  const address = `127.0.0.1:${await read()}`
  return {
    address,
    /** Seconds until so many have come. */
    async waitFor(count: number) {
      const startedAt = performance.now()
      for (;;) {
        child.stdin?.write('\n')
        const got = await read()
        if (got >= count) return (performance.now() - startedAt) / 1000
        if (performance.now() - startedAt > 300_000) throw new Error(`${got} of ${count} have arrived`)
        await sleep(100)
      }
    },
    stop: () => child.kill(),
  }
}
