import { join } from 'node:path'
import { buildConsole } from '#test/built-console.ts'
import { startServerProcess, type ServerProcess } from '#test/server-process.ts'
import { addOwnerIn, cookieOf } from '#test/session.ts'
import { createTempDir } from '#test/temp-dir.ts'
import { measureFirstBytes } from '../console/first-bytes.ts'
import { readProcessUsage } from '../ingest/process-usage.ts'
import { fillStore } from '../reads/fill-store.ts'
import { toMedian } from '../support/median.ts'
import type { RunLength } from './ingest.ts'

/** Shares of requests that are traced: none, the default, and all, whose cost is large enough to measure. */
const rates = ['0', '0.01', '1'] as const
/** Requests of each screen in a round; the first round is not measured. */
const requests = { warmUp: 0, measured: 100 }
const screens = ['/issues', '/performance', '/outcomes', '/monitors']

interface MeasuredServer {
  rate: (typeof rates)[number]
  process: ServerProcess
  cookie: string
  /** CPU milliseconds per request, by round. */
  cpuMs: number[]
}

/**
 * Measures the CPU per page of the console with Culvert's own traces off, at their default rate, and for
 * every request, on three servers with equal stores, alternately. Returns rows of a table.
 */
export async function measureOwnTraces({ rounds }: Pick<RunLength, 'rounds'>) {
  await buildConsole()
  const folders = await Promise.all(rates.map(() => createTempDir()))
  const servers: MeasuredServer[] = []
  try {
    for (const [at, rate] of rates.entries()) {
      const dataDir = folders[at]?.path ?? ''
      await fillStore({ path: join(dataDir, 'culvert.db'), eventCount: 5_000, issueCount: 500 })
      await addOwnerIn(dataDir)
      const variables = { CULVERT_OWN_TRACES_RATE: rate }
      const started = await startServerProcess({ dataDir, args: [], variables })
      servers.push({ rate, process: started, cookie: await cookieOf(started.origin), cpuMs: [] })
    }
    for (let round = -1; round < rounds; round += 1) {
      for (const server of servers) {
        const cpuMs = await measureRound(server)
        if (round >= 0) server.cpuMs.push(cpuMs)
      }
    }
    return servers.map((server) => toRow(server, servers[0]))
  } finally {
    await Promise.all(servers.map((server) => server.process.end('SIGTERM')))
    await Promise.all(folders.map((folder) => folder.remove()))
  }
}

async function measureRound({ process, cookie }: MeasuredServer): Promise<number> {
  const pid = process.child.pid ?? 0
  const before = readProcessUsage(pid).cpuSeconds
  await measureFirstBytes({ origin: process.origin, cookie, screens, rounds: requests })
  return ((readProcessUsage(pid).cpuSeconds - before) * 1000) / (requests.measured * screens.length)
}

function toRow({ rate, cpuMs }: MeasuredServer, off: MeasuredServer | undefined) {
  const ratios = cpuMs.map((ms, at) => ms / (off?.cpuMs[at] ?? Number.NaN))
  return {
    'share of requests': rate,
    'CPU ms/page': toMedian(cpuMs).toFixed(2),
    'of none': toMedian(ratios).toFixed(3),
    'lowest … highest': `${Math.min(...ratios).toFixed(3)} … ${Math.max(...ratios).toFixed(3)}`,
  }
}
