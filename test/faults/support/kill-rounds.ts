import type { ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { startServerProcess } from '#test/server-process.ts'
import { findViolations, type Ledger } from './ledger.ts'
import { startLoad } from './load.ts'
import { readStoreTotals } from './store-totals.ts'

export interface KillOptions {
  dataDir: string
  ledger: Ledger
  killCount: number
  /** The store is compared with the ledger after this many kills; a difference ends the rounds. */
  killsPerLook: number
  /**
   * Acknowledged events before the last kill, at least, and in proportion before the others: on a busy
   * machine a random moment has few. Default: none.
   */
  leastAckedCount?: number
  /** The command to start instead of `culvert start --ingest-only`. */
  program?: string
  variables?: Record<string, string>
}

export interface KillResult {
  violations: string[]
  /** The median time from starting a process to its first 200: single ones depend on the machine's load. */
  usualStartMs: number
}

const clientCount = 40

/** Starts a server, sends from 40 clients, kills it at a random moment, and repeats. */
export async function killRepeatedly(options: KillOptions): Promise<KillResult> {
  const { dataDir, ledger, killCount, killsPerLook } = options
  const startsMs: number[] = []
  for (let kills = 1; kills <= killCount; kills += 1) {
    await killAtStart(options)
    startsMs.push(await killOnce(options, kills))
    if (kills % killsPerLook !== 0 && kills !== killCount) continue
    const violations = findViolations(ledger, await readStoreTotals(dataDir))
    if (violations.length > 0) return { violations, usualStartMs: medianOf(startsMs) }
  }
  return { violations: [], usualStartMs: medianOf(startsMs) }
}

function medianOf(numbers: number[]): number {
  return numbers.toSorted((one, other) => one - other)[numbers.length >> 1] ?? 0
}

/** Sometimes during the recovery from the previous kill. */
async function killAtStart({ dataDir, program, variables }: KillOptions): Promise<void> {
  if (randomInt(5) > 0) return
  const starting = startServerProcess({
    dataDir,
    onSpawn: killSoon,
    ...(variables && { variables }),
    ...(program !== undefined && { program }),
  })
  await starting.then((server) => server.end('SIGKILL')).catch(() => undefined)
}

function killSoon(child: ChildProcess): void {
  setTimeout(() => child.kill('SIGKILL'), randomInt(400))
}

/** The round of that number, from 1. Resolves with the milliseconds from the start to the first 200. */
async function killOnce(
  { dataDir, ledger, program, variables, killCount, leastAckedCount = 0 }: KillOptions,
  round: number,
): Promise<number> {
  const startedAt = performance.now()
  const server = await startServerProcess({
    dataDir,
    ...(program !== undefined && { program }),
    ...(variables && { variables }),
  })
  let firstAnswer: (() => void) | undefined
  const isAnswered = new Promise<void>((resolve) => {
    firstAnswer = resolve
  })
  const load = startLoad({
    origin: server.origin,
    clientCount,
    ledger,
    onAnswer: (status) => status === 200 && firstAnswer?.(),
  })
  await isAnswered
  const startMs = performance.now() - startedAt
  await sleep(randomInt(1, 450))
  while (ledger.acked.size < (leastAckedCount * round) / killCount) await sleep(10)
  await server.end('SIGKILL')
  await load.isOver
  return startMs
}
