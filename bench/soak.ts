/**
 * Memory of Culvert under full load for minutes: first 64 connections that send events, then 8 that request
 * the list of issues, each as fast as it is answered. Prints resident memory and the events or CPU of each
 * half minute; a leak shows as a column that rises until the end.
 *
 * npm run bench -- soak [minutes]          default 10 for each load; about 0.3 GB of disk a minute
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { buildConsole } from '#test/built-console.ts'
import { addUser, cookieOf } from '#test/session.ts'
import { minuteMs } from '#time/time-steps.ts'
import { readProcessUsage } from './ingest/process-usage.ts'
import { startCulvert, type Target } from './ingest/target.ts'
import { runChild } from './support/run-child.ts'

const connections = { events: 64, pages: 8 } as const
const stepMs = 30_000

/** Runs the whole benchmark and prints a row for each half minute. */
export async function runSoakBench(): Promise<void> {
  const minutes = Number(process.argv[3] ?? 10)
  await buildConsole()
  const target = await startCulvert({
    hasConsole: true,
    prepare: async (store) => void (await addUser(store)),
  })
  try {
    await sleep(3_000)
    console.log(
      `soak: ${minutes} minutes of events at ${connections.events} connections, and as many of list pages at ` +
        `${connections.pages}; ${residentMegabytes(target)} MB resident before`,
    )
    await soak(target, minutes, ['ingest/generator.ts', target.origin, target.path, connections.events, 0])
    const list = `${target.origin}/issues`
    const cookie = await cookieOf(target.origin)
    await soak(target, minutes, ['pages/generator.ts', list, cookie, connections.pages, 0])
  } finally {
    await target.stop()
  }
}

/** Runs one load for minutes, and prints its result. */
async function soak(
  target: Target,
  minutes: number,
  [program, ...load]: [string, ...(string | number)[]],
): Promise<void> {
  const result = runChild(program, [...load, minutes * minuteMs])
  let before = await readWork(target)
  for (let at = stepMs; at <= minutes * minuteMs; at += stepMs) {
    await sleep(stepMs)
    const now = await readWork(target)
    console.log(
      `${String(at / 1000).padStart(5)} s  ${String(residentMegabytes(target)).padStart(4)} MB  ` +
        `${Math.round((now.events - before.events) / (stepMs / 1000))} events/s  ` +
        `${Math.round(((now.cpuSeconds - before.cpuSeconds) / (stepMs / 1000)) * 100)} % CPU`,
    )
    before = now
  }
  console.log(JSON.stringify(await result))
}

function residentMegabytes({ pid }: Target): number {
  return Math.round(readProcessUsage(pid).residentBytes / 1e6)
}

async function readWork(target: Target) {
  return { events: await target.countEvents(), cpuSeconds: readProcessUsage(target.pid).cpuSeconds }
}
