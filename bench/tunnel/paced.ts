import { summarize } from '../support/latencies.ts'
import { toMedian } from '../support/median.ts'
import type { MeasuredServer } from './measured-server.ts'

interface PacedResult {
  server: MeasuredServer
  rejected: number
  answerCount: number
  /** By round. */
  p50Ms: number[]
  p99Ms: number[]
}

/**
 * Measures response times at a fixed rate, in rounds of a few seconds. Each server is compared with the first
 * one in the same round, so that other load of the machine does not affect the comparison.
 */
export async function runPacedTunnels(
  servers: readonly MeasuredServer[],
  { perSecond, roundCount, seconds }: { perSecond: number; roundCount: number; seconds: number },
): Promise<void> {
  console.log(
    `\nfixed rate: ${perSecond} envelopes a second, ${roundCount} rounds of ${seconds} s for each\n`,
  )
  const results = servers.map((server): PacedResult => ({
    server,
    rejected: 0,
    answerCount: 0,
    p50Ms: [],
    p99Ms: [],
  }))
  for (let round = 0; round < roundCount; round += 1) {
    // In reverse every second time, to vary the order.
    for (const result of round % 2 === 0 ? results : results.toReversed()) {
      const { rejected, latenciesMs } = await result.server.run({ seconds, perSecond })
      const { count, p50Ms, p99Ms } = summarize(latenciesMs)
      result.rejected += rejected
      result.answerCount += count
      result.p50Ms.push(p50Ms)
      result.p99Ms.push(p99Ms)
    }
  }
  console.table(results.map((result) => toRow(result, results[0] ?? result)))
}

function toRow({ server, answerCount, rejected, p50Ms, p99Ms }: PacedResult, none: PacedResult) {
  return {
    upstream: server.destination,
    answers: answerCount,
    rejected,
    'p50 ms': toMedian(p50Ms).toFixed(1),
    'of none': toMedianRatio(p50Ms, none.p50Ms),
    'p99 ms': toMedian(p99Ms).toFixed(1),
    'p99 of none': toMedianRatio(p99Ms, none.p99Ms),
  }
}

function toMedianRatio(own: readonly number[], compared: readonly number[]): string {
  return toMedian(own.map((value, at) => value / (compared[at] ?? Number.NaN))).toFixed(2)
}
