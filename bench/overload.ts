/**
 * Load at ten times the capacity of Culvert: the accepted requests, the response time of a 429, the memory,
 * and the time to recover. The capacity is measured first, with 64 connections, in the same run.
 *
 * npm run bench -- overload       BENCH_SECONDS=10, BENCH_CONNECTIONS=1000, BENCH_TIMES=10
 */
import * as v from 'valibot'
import { startLoad } from './ingest/load.ts'
import { readProcessUsage } from './ingest/process-usage.ts'
import { startCulvert, type Target } from './ingest/target.ts'
import { watchServer } from './overload/watch.ts'
import { latencySummary, summarize, toText } from './support/latencies.ts'
import { runChild } from './support/run-child.ts'

const capacityConnections = 64
const warmUpMs = 1_500
/** A second counts as normal if nothing is rejected and 99 of 100 answers arrive within this time. */
const normalP99Ms = 50
const giveUpSeconds = 20

const floodResult = v.object({
  seconds: v.number(),
  sent: v.number(),
  withoutWait: v.number(),
  other: v.number(),
  accepted: latencySummary,
  rejected: latencySummary,
  acceptedInAll: v.number(),
  unanswered: v.number(),
})
const probeResult = v.object({ ...latencySummary.entries, rejected: v.number() })

/** Runs the whole benchmark and prints the results. */
export async function runOverloadBench(): Promise<void> {
  const measureMs = Number(process.env['BENCH_SECONDS'] ?? 10) * 1000
  const connections = Number(process.env['BENCH_CONNECTIONS'] ?? 1_000)
  const times = Number(process.env['BENCH_TIMES'] ?? 10)
  const target = await startCulvert()
  try {
    const { origin, path } = target
    const load = { origin, path, connections: capacityConnections, warmUpMs, seconds: measureMs / 1000 }
    const atCapacity = await startLoad(load).result
    const capacity = atCapacity.accepted / atCapacity.seconds
    console.log(
      `capacity    ${Math.round(capacity)} events/s at ${capacityConnections} connections, p99 ${atCapacity.p99Ms.toFixed(0)} ms`,
    )
    const residentBefore = readProcessUsage(target.pid).residentBytes
    const watch = new AbortController()
    const watching = watchServer(target, watch.signal)
    const perSecond = Math.round(capacity * times)
    const flood = [origin, path, connections, perSecond, measureMs]
    const flooded = v.parse(floodResult, await runChild('overload/flood.ts', flood))
    watch.abort()
    const watched = await watching
    const recovery = await measureRecovery(target)
    const residentAfter = readProcessUsage(target.pid).residentBytes
    const { seconds, accepted, rejected } = flooded
    const goodput = accepted.count / seconds
    console.log(
      `offered     ${Math.round(flooded.sent / seconds)} requests/s over ${connections} connections (${perSecond} wanted)`,
    )
    console.log(
      `accepted    ${Math.round(goodput)} events/s, ${((goodput / capacity) * 100).toFixed(0)} % of the capacity; ${toText(accepted)}`,
    )
    console.log(
      `rejected     ${Math.round(rejected.count / seconds)} requests/s with 429; ${toText(rejected)}; ${flooded.withoutWait} without Retry-After`,
    )
    const newcomers = summarize(watched.newcomers.rejectedMs)
    console.log(
      `newcomers   ${watched.newcomers.acceptedMs.length} accepted, ${newcomers.count} rejected; rejected in ${toText(newcomers)}`,
    )
    console.log(`other       ${flooded.other} answers, ${flooded.unanswered} requests without one`)
    console.log(
      `health      ${toText(watched.health)}; ${watched.unhealthy} of ${watched.health.count} failed`,
    )
    console.log(
      `memory      ${toMb(residentBefore)} MB before, ${toMb(watched.maxResidentBytes)} at most, ${toMb(residentAfter)} after`,
    )
    console.log(`recovered   ${recovery.seconds} s after the last request`)
    const answered = atCapacity.acceptedInAll + flooded.acceptedInAll + recovery.answered
    const stored = await target.countEvents()
    console.log(`stored      ${stored} of ${answered} answered with 200`)
    if (stored !== answered) throw new Error('what was answered and what is stored differ')
  } finally {
    await target.stop()
  }
}

interface Recovery {
  /** Until the beginning of the first normal second. */
  seconds: number
  answered: number
}

async function measureRecovery(target: Target): Promise<Recovery> {
  let answered = 0
  for (let seconds = 0; seconds < giveUpSeconds; seconds += 1) {
    const probe = v.parse(
      probeResult,
      await runChild('connections/probe.ts', [target.origin, target.path, 1_000]),
    )
    answered += probe.count
    if (probe.rejected === 0 && probe.p99Ms <= normalP99Ms) return { seconds, answered }
  }
  return { seconds: Number.POSITIVE_INFINITY, answered }
}

function toMb(bytes: number): string {
  return (bytes / 1e6).toFixed(0)
}
