/**
 * What the tunnel costs beside plain ingest, measured in the same run: envelopes a second, the slowest of a hundred, CPU time and
 * memory, with no upstream, with one that takes everything, one that answers after a second, and one that is down. What is answered 200 must be
 * stored and, where the upstream is up, arrive there. Then how long answers take at a third of that rate, beside upstreams in
 * five states.
 *
 *     npm run bench -- tunnel          BENCH_SECONDS, BENCH_ROUNDS, BENCH_TURNS (5, 3, 6) and BENCH_RATE for other runs;
 *                                      BENCH_ROUNDS=0 with a rate for the second part alone
 */
import { readProcessUsage } from './ingest/process-usage.ts'
import { startTunnel, type Destination } from './tunnel/destination.ts'
import { loadTunnel } from './tunnel/load.ts'
import { runPacedTunnels } from './tunnel/paced.ts'

const warmUpMs = 2_000
const slowMs = 1_000
/** Of the rate that one without an upstream takes. */
const pacedShare = 1 / 3

const destinations = {
  'plain ingest': 'plain',
  'tunnel, no upstream': 'none',
  'upstream up': 'up',
  'upstream slow': 'slow',
  'upstream down': 'down',
} as const satisfies Record<string, Destination>
type Kind = keyof typeof destinations
const kinds = [
  'plain ingest',
  'tunnel, no upstream',
  'upstream up',
  'upstream slow',
  'upstream down',
] as const

/** Runs all of them in turn, several times, and prints a table of the rounds' medians. */
export async function runTunnelBench(): Promise<void> {
  const seconds = Number(process.env['BENCH_SECONDS'] ?? 5)
  const roundCount = Number(process.env['BENCH_ROUNDS'] ?? 3)
  console.log(`tunnel: ${roundCount} rounds of ${seconds} s each, 64 connections, envelopes of 6 kB\n`)
  const rounds: Map<Kind, Measured>[] = []
  for (let round = 0; round < roundCount; round += 1) {
    const measured = new Map<Kind, Measured>()
    for (const kind of kinds) measured.set(kind, await measure(kind, seconds))
    rounds.push(measured)
  }
  if (rounds.length > 0) console.table(kinds.map((kind) => toRow(kind, rounds)))
  const capacity = toMedian(rounds.flatMap((round) => round.get('tunnel, no upstream')?.perSecond ?? []))
  const perSecond = Math.round(Number(process.env['BENCH_RATE'] ?? capacity * pacedShare))
  await runPacedTunnels({ perSecond, turns: Number(process.env['BENCH_TURNS'] ?? 6), turnSeconds: 3 })
}

function toMedian(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN
}

/** Ratios are to plain ingest of the same round: the machine may be another one a minute later. */
function toRow(kind: Kind, rounds: readonly Map<Kind, Measured>[]) {
  const median = (value: (measured: Measured, plain: Measured) => number) => {
    const values = rounds.flatMap((round) => {
      const [measured, plain] = [round.get(kind), round.get('plain ingest')]
      return measured === undefined || plain === undefined ? [] : value(measured, plain)
    })
    return toMedian(values)
  }
  return {
    kind,
    'envelopes/s': Math.round(median(({ perSecond }) => perSecond)),
    'of plain': median((of, plain) => of.perSecond / plain.perSecond).toFixed(2),
    'p99 ms': median(({ p99Ms }) => p99Ms).toFixed(0),
    'p99 of plain': median((of, plain) => of.p99Ms / plain.p99Ms).toFixed(2),
    'CPU µs': Math.round(median(({ cpuMicros }) => cpuMicros)),
    'kB written': (median((of) => of.writtenBytes) / 1000).toFixed(1),
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
  /** By the server under load, for each envelope. */
  writtenBytes: number
  /** After the load, until everything had arrived at the upstream. */
  drainSeconds: number
}

async function measure(kind: Kind, seconds: number): Promise<Measured> {
  const target = await startTunnel(destinations[kind], slowMs)
  try {
    const before = readProcessUsage(target.pid)
    const result = await loadTunnel(target, { seconds, warmUpMs })
    const after = readProcessUsage(target.pid)
    if (target.countEvents() !== result.acceptedInAll) throw new Error('not all that was accepted is stored')
    const drainSeconds = kind === 'upstream up' ? await target.waitForUpstream(result.acceptedInAll) : 0
    return {
      perSecond: result.accepted / result.seconds,
      p99Ms: result.p99Ms,
      refused: result.refused,
      cpuMicros: ((after.cpuSeconds - before.cpuSeconds) * 1e6) / result.acceptedInAll,
      residentBytes: after.residentBytes,
      writtenBytes: (after.writtenBytes - before.writtenBytes) / result.acceptedInAll,
      drainSeconds,
    }
  } finally {
    await target.stop()
  }
}
