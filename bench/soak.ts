/**
 * Memory of Culvert under full load for minutes: 64 connections that send as fast as they are answered.
 * Prints resident memory, its peak and the events per second of each half minute; growth shows as a column
 * that rises to the end.
 *
 *     npm run bench -- soak [minutes]          default 10; about 0.3 GB of disk a minute
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { minuteMs } from '#time/time-steps.ts'
import { readProcessUsage } from './ingest/process-usage.ts'
import { startCulvert } from './ingest/target.ts'

const connections = 64
const stepMs = 30_000

/** Runs the whole benchmark and prints a row for each half minute. */
export async function runSoakBench(): Promise<void> {
  const minutes = Number(process.argv[3] ?? 10)
  const target = await startCulvert()
  try {
    const megabytes = () => Math.round(readProcessUsage(target.pid).residentBytes / 1e6)
    await sleep(3_000)
    console.log(`soak: ${minutes} minutes at ${connections} connections; ${megabytes()} MB resident before`)
    const generator = join(import.meta.dirname, 'ingest/generator.ts')
    const args = [generator, target.origin, target.path, connections, 0, minutes * minuteMs].map(String)
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    let result = ''
    createInterface({ input: child.stdout }).on('line', (line) => {
      result = line
    })
    const ended = once(child, 'exit')
    let before = await target.countEvents()
    for (let at = stepMs; at <= minutes * minuteMs; at += stepMs) {
      await sleep(stepMs)
      const now = await target.countEvents()
      console.log(
        `${String(at / 1000).padStart(5)} s  ${String(megabytes()).padStart(4)} MB  ` +
          `${Math.round((now - before) / (stepMs / 1000))} events/s`,
      )
      before = now
    }
    await ended
    console.log(result)
  } finally {
    await target.stop()
  }
}
