/**
 * The cost of the tunnel compared to plain ingest: envelopes a second, the slowest of a hundred, CPU time and
 * memory, without an upstream, with one that accepts everything, one that answers after a minute, and one
 * that is down. Then the response time at a third of that rate, with the same upstreams and one that answers
 * 503 and 429. All servers run at the same time, warm, and are loaded one after another in short runs,
 * repeatedly, so that other load of the machine and the growth of the stores affect all of them. Every
 * acknowledged envelope must be stored and, if the upstream is up, arrive there.
 *
 * npm run bench -- tunnel          BENCH_SECONDS, BENCH_ROUNDS, BENCH_PACED_ROUNDS (3, 5, 7), BENCH_RATE;
 *                                      BENCH_ROUNDS=0 with a rate runs the second part alone
 */
import { toMedian } from './support/median.ts'
import type { Destination } from './tunnel/destination.ts'
import { MeasuredServer, type RunResult } from './tunnel/measured-server.ts'
import { runPacedTunnels } from './tunnel/paced.ts'

const destinations = ['plain', 'none', 'up', 'slow', 'down', 'failing'] as const satisfies Destination[]
/** Measured at the full rate. */
const isFull = ({ destination }: MeasuredServer) => destination !== 'failing'
const isTunnel = ({ destination }: MeasuredServer) => destination !== 'plain'
/** Share of the rate that a project without an upstream reaches. */
const pacedShare = 1 / 3

type Round = Map<Destination, RunResult>

/** Runs all of them several times, and prints tables of the rounds' medians. */
export async function runTunnelBench(): Promise<void> {
  const seconds = Number(process.env['BENCH_SECONDS'] ?? 3)
  const roundCount = Number(process.env['BENCH_ROUNDS'] ?? 5)
  console.log(`tunnel: ${roundCount} rounds of ${seconds} s each, 64 connections, envelopes of 6 kB\n`)
  const servers: MeasuredServer[] = []
  try {
    for (const destination of destinations) servers.push(await MeasuredServer.start(destination))
    for (const server of servers) await server.warmUp()
    const rounds = await runRounds(servers.filter(isFull), { roundCount, seconds })
    if (rounds.length > 0) console.table(servers.filter(isFull).map((server) => toRow(server, rounds)))
    const capacity = toMedian(rounds.flatMap((round) => round.get('none')?.perSecond ?? []))
    const perSecond = Math.round(Number(process.env['BENCH_RATE'] ?? capacity * pacedShare))
    const pacedRounds = Number(process.env['BENCH_PACED_ROUNDS'] ?? 7)
    if (pacedRounds > 0)
      await runPacedTunnels(servers.filter(isTunnel), { perSecond, roundCount: pacedRounds, seconds: 3 })
    for (const server of servers) await server.assertStored()
  } finally {
    for (const server of servers) await server.stop()
  }
}

async function runRounds(
  servers: readonly MeasuredServer[],
  { roundCount, seconds }: { roundCount: number; seconds: number },
): Promise<Round[]> {
  const rounds: Round[] = []
  for (let number = 0; number < roundCount; number += 1) {
    const round: Round = new Map()
    for (const server of number % 2 === 0 ? servers : servers.toReversed())
      round.set(server.destination, await server.run({ seconds }))
    rounds.push(round)
  }
  return rounds
}

/** Ratios are computed within a round, because the speed of the machine may change between rounds. */
function toRow({ destination }: MeasuredServer, rounds: readonly Round[]) {
  const valuesOf = (of: Destination, value: (result: RunResult) => number) =>
    rounds.map((round) => {
      const result = round.get(of)
      return result === undefined ? Number.NaN : value(result)
    })
  const median = (value: (result: RunResult) => number) => toMedian(valuesOf(destination, value))
  const ratio = (compared: Destination, value: (result: RunResult) => number) => {
    const others = valuesOf(compared, value)
    return toMedian(valuesOf(destination, value).map((own, at) => own / (others[at] ?? Number.NaN)))
  }
  const isUp = destination === 'up'
  return {
    upstream: destination,
    'envelopes/s': Math.round(median(({ perSecond }) => perSecond)),
    'of plain': ratio('plain', ({ perSecond }) => perSecond).toFixed(2),
    'p99 ms': median(({ p99Ms }) => p99Ms).toFixed(0),
    'p99 of none': ratio('none', ({ p99Ms }) => p99Ms).toFixed(2),
    'CPU µs': Math.round(median(({ cpuMicros }) => cpuMicros)),
    'upstream µs': Math.round(median(({ upstreamCpuMicros }) => upstreamCpuMicros)),
    'kB written and sent': (median(({ writtenBytes }) => writtenBytes) / 1000).toFixed(1),
    'MB after': Math.round(median(({ residentBytes }) => residentBytes) / 1e6),
    // On a busy machine the server sheds load, because the generator, unlike a browser, does not slow down.
    rejected: median(({ rejected }) => rejected),
    'sent meanwhile': isUp ? median(({ sentShare }) => sentShare).toFixed(2) : '',
    'sent on after, s': isUp ? median(({ drainSeconds }) => drainSeconds).toFixed(1) : '',
  }
}
