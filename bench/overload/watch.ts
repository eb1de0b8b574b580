import { setTimeout as sleep } from 'node:timers/promises'
import { readProcessUsage } from '../ingest/process-usage.ts'
import type { Target } from '../ingest/target.ts'
import { summarize, type LatencySummary } from '../support/latencies.ts'

/** The observations of a client that is not part of the load. */
export interface Watched {
  /** Latency of the health check, over a new connection each time. */
  health: LatencySummary
  unhealthy: number
  /** Response times of clients that send one small request over a new connection and disconnect. */
  newcomers: { acceptedMs: number[]; rejectedMs: number[] }
  maxResidentBytes: number
}

const everyMs = 100

/** Requests a server's health, and reads its memory, until `signal` is aborted. */
export async function watchServer(target: Target, signal: AbortSignal): Promise<Watched> {
  const answeredMs: number[] = []
  const newcomers: Watched['newcomers'] = { acceptedMs: [], rejectedMs: [] }
  let unhealthy = 0
  let maxResidentBytes = 0
  while (!signal.aborted) {
    const health = await ask(`${target.origin}/healthz`)
    if (health.status === 200) answeredMs.push(health.ms)
    else unhealthy += 1
    const event = await ask(`${target.origin}${target.path}`, '{}\n{"type":"session"}\n{}')
    if (event.status === 200) newcomers.acceptedMs.push(event.ms)
    if (event.status === 429) newcomers.rejectedMs.push(event.ms)
    maxResidentBytes = Math.max(maxResidentBytes, readProcessUsage(target.pid).residentBytes)
    await sleep(everyMs)
  }
  return { health: summarize(answeredMs), unhealthy, newcomers, maxResidentBytes }
}

async function ask(url: string, body?: string): Promise<{ status: number; ms: number }> {
  const startedAt = performance.now()
  const headers = { connection: 'close' }
  try {
    const { status } = await fetch(url, body === undefined ? { headers } : { method: 'POST', headers, body })
    return { status, ms: performance.now() - startedAt }
  } catch {
    return { status: 0, ms: performance.now() - startedAt }
  }
}
