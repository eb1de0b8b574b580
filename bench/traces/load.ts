import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import * as v from 'valibot'
import type { SampleOptions } from '../ingest/sample-envelopes.ts'

const loadResult = v.object({
  accepted: v.number(),
  acceptedInAll: v.number(),
  rejected: v.number(),
  seconds: v.number(),
  p50Ms: v.number(),
  p99Ms: v.number(),
})

/** The result of a generator; see `LoadResult`. */
export type Sent = v.InferOutput<typeof loadResult>

/** The requests that a generator sends. */
export interface LoadOptions {
  origin: string
  path: string
  connections: number
  warmUpMs: number
  seconds: number
  /** Of all connections together; 0: as fast as they are answered. */
  requestsPerSecond?: number
  samples: Partial<SampleOptions>
}

/** Starts a generator in its own process. `isMeasuring` resolves when its warm-up is over. */
export function startLoad(options: LoadOptions): { isMeasuring: Promise<unknown>; result: Promise<Sent> } {
  const { origin, path, connections, warmUpMs, seconds, requestsPerSecond = 0, samples } = options
  const generator = join(import.meta.dirname, '../ingest/generator.ts')
  const numbers = [connections, warmUpMs, seconds * 1000, requestsPerSecond]
  const child = spawn(process.execPath, [generator, origin, path, ...numbers.map(String)], {
    env: { ...process.env, BENCH_SAMPLES: JSON.stringify(samples) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const isMeasuring = lines.next()
  async function readResult(): Promise<Sent> {
    await isMeasuring
    const { value } = await lines.next()
    if (child.exitCode === null) await once(child, 'exit')
    return v.parse(loadResult, JSON.parse(String(value)))
  }
  return { isMeasuring, result: readResult() }
}
