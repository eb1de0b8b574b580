/**
 * Ten thousand idle connections, and ten thousand that send one byte every few seconds: their effect on the
 * response times of an ordinary client, and on memory and open files while they are open and after they are
 * closed.
 *
 * npm run bench -- connections       BENCH_SECONDS=10, BENCH_CONNECTIONS=10000 of each kind
 */
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import * as v from 'valibot'
import { maxConnectionsFor, readOpenFilesLimit } from '#server/http/connection-limit.ts'
import { readProcessUsage } from './ingest/process-usage.ts'
import { startCulvert, type Target } from './ingest/target.ts'
import { latencySummary } from './support/latencies.ts'
import { runChild, startChild } from './support/run-child.ts'

/** The limit on open files of one process, and the ports of one source address, bound it. */
const perHolder = 5_000
/** For the probe, and for connections that are reopened before the old ones are closed. */
const spare = 100
const goneTimeoutMs = 60_000

type Kind = 'idle' | 'slow'

const probeResult = v.object({ ...latencySummary.entries, rejected: v.number() })

/** Runs the whole benchmark and prints a table. */
export async function runConnectionsBench(): Promise<void> {
  const probeMs = Number(process.env['BENCH_SECONDS'] ?? 10) * 1000
  const count = Number(process.env['BENCH_CONNECTIONS'] ?? 10_000)
  const target = await startCulvert()
  try {
    // The first seconds include compilation.
    await runChild('connections/probe.ts', [target.origin, target.path, 3_000])
    const rows = [await measure(target, { name: 'alone', holders: [], probeMs })]
    const base = countFiles(target)
    rows.push(await measure(target, { name: `${count} idle`, holders: holdersOf('idle', count), probeMs }))
    rows.push(await measure(target, { name: `${count} slow`, holders: holdersOf('slow', count), probeMs }))
    const most = Math.min(count, Math.floor((maxConnectionsFor(readOpenFilesLimit()) - spare) / 2))
    const both = [...holdersOf('idle', most), ...holdersOf('slow', most)]
    rows.push(await measure(target, { name: `${most} of each`, holders: both, probeMs }))
    console.table(rows)
    console.log(`open files: ${base} at first, ${countFiles(target)} at the end`)
  } finally {
    await target.stop()
  }
}

interface Holder {
  kind: Kind
  count: number
}

function holdersOf(kind: Kind, count: number): Holder[] {
  return Array.from({ length: Math.ceil(count / perHolder) }, (_, at) => ({
    kind,
    count: Math.min(perHolder, count - at * perHolder),
  }))
}

interface Measured {
  name: string
  holders: readonly Holder[]
  probeMs: number
}

async function measure(target: Target, { name, holders, probeMs }: Measured) {
  const filesBefore = countFiles(target)
  const open = await Promise.all(holders.map((holder, at) => startHolder(target, holder, at)))
  const probe = v.parse(
    probeResult,
    await runChild('connections/probe.ts', [target.origin, target.path, probeMs]),
  )
  const residentMb = Math.round(readProcessUsage(target.pid).residentBytes / 1e6)
  const files = countFiles(target)
  for (const end of open) await end()
  const goneAfterMs = holders.length === 0 ? 0 : await waitUntilGone(target, filesBefore)
  return {
    connections: name,
    'p50 ms': Number(probe.p50Ms.toFixed(2)),
    'p99 ms': Number(probe.p99Ms.toFixed(2)),
    'max ms': Number(probe.maxMs.toFixed(0)),
    rejected: probe.rejected,
    'RSS MB': residentMb,
    'open files': files,
    'freed after s': Number((goneAfterMs / 1000).toFixed(1)),
  }
}

/** Resolves once all of its connections are open, with a function that stops it. */
async function startHolder(
  target: Target,
  { kind, count }: Holder,
  at: number,
): Promise<() => Promise<void>> {
  const child = startChild('connections/holder.ts', [
    target.origin,
    target.path,
    kind,
    count,
    `127.0.0.${at + 2}`,
  ])
  await once(child.stdout, 'data')
  return async () => {
    child.stdin.end()
    if (child.exitCode === null) await once(child, 'exit')
  }
}

/** The number of open files and sockets of a process. Linux only. */
function countFiles({ pid }: Target): number {
  return readdirSync(`/proc/${pid}/fd`).length
}

async function waitUntilGone(target: Target, files: number): Promise<number> {
  const startedAt = performance.now()
  while (countFiles(target) > files && performance.now() - startedAt < goneTimeoutMs) await sleep(50)
  return performance.now() - startedAt
}
