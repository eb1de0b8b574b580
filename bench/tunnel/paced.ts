import { summarize } from '../latencies.ts'
import type { Lane } from './lane.ts'

interface PacedResult {
  lane: Lane
  refused: number
  latenciesMs: number[]
}

/** How long answers take at a fixed rate, in turns of a few seconds. The first lane is the one that the others are compared with. */
export async function runPacedTunnels(
  lanes: readonly Lane[],
  { perSecond, turns, turnSeconds }: { perSecond: number; turns: number; turnSeconds: number },
): Promise<void> {
  console.log(`\nfixed rate: ${perSecond} envelopes a second, ${turns} turns of ${turnSeconds} s for each\n`)
  const results = lanes.map((lane): PacedResult => ({ lane, refused: 0, latenciesMs: [] }))
  for (let turn = 0; turn < turns; turn += 1) {
    // Backwards every second time: who comes after whom is another one then.
    for (const result of turn % 2 === 0 ? results : results.toReversed()) {
      const { refused, latenciesMs } = await result.lane.run({ seconds: turnSeconds, perSecond })
      result.refused += refused
      result.latenciesMs.push(...latenciesMs)
    }
  }
  console.table(results.map((result) => toRow(result, results[0] ?? result)))
}

function toRow({ lane, latenciesMs, refused }: PacedResult, none: PacedResult) {
  const [own, compared] = [summarize(latenciesMs), summarize(none.latenciesMs)]
  return {
    upstream: lane.destination,
    answers: own.count,
    refused,
    'p50 ms': own.p50Ms.toFixed(1),
    'of none': (own.p50Ms / compared.p50Ms).toFixed(2),
    'p99 ms': own.p99Ms.toFixed(1),
    'p99 of none': (own.p99Ms / compared.p99Ms).toFixed(2),
  }
}
