import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import * as v from 'valibot'
import type { TunnelTarget } from './destination.ts'

const connections = 64

const loadResult = v.object({
  accepted: v.number(),
  acceptedInAll: v.number(),
  rejected: v.number(),
  seconds: v.number(),
  p99Ms: v.number(),
  latenciesMs: v.optional(v.array(v.number()), []),
})
/** The result of a load. */
export type LoadResult = v.InferOutput<typeof loadResult>

/**
 * Loads a tunnel for that many seconds over 64 connections, as fast as it answers or, with `perSecond`, at a
 * fixed rate.
 */
export async function loadTunnel(
  { origin, path, dsn }: TunnelTarget,
  { seconds, warmUpMs, perSecond = 0 }: { seconds: number; warmUpMs: number; perSecond?: number },
): Promise<LoadResult> {
  const generator = join(import.meta.dirname, '../ingest/generator.ts')
  const args = [origin, path, connections, warmUpMs, seconds * 1000, perSecond].map(String)
  const child = spawn(process.execPath, [generator, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, BENCH_SAMPLES: JSON.stringify({ dsn }) },
  })
  let last = 'null'
  createInterface({ input: child.stdout }).on('line', (line) => {
    last = line
  })
  await once(child, 'close')
  return v.parse(loadResult, JSON.parse(last))
}
