import { once } from 'node:events'
import { createInterface } from 'node:readline'
import * as v from 'valibot'
import { startChild } from '../support/run-child.ts'
import type { SampleOptions } from './sample-envelopes.ts'

const loadResult = v.object({
  /** Answered 200 during the measured time. */
  accepted: v.number(),
  /** During the whole run, warm-up and tail included. */
  acceptedInAll: v.number(),
  rejected: v.number(),
  seconds: v.number(),
  p50Ms: v.number(),
  p90Ms: v.number(),
  p99Ms: v.number(),
  /** Answers by latency: see `toHistogram`. */
  histogram: v.array(v.number()),
  /** Latency of each request accepted in the measured time; empty without a rate. */
  latenciesMs: v.array(v.number()),
})

/** The result that the generator prints at the end. */
export type LoadResult = v.InferOutput<typeof loadResult>

/** The requests that a generator sends. */
export interface LoadOptions {
  origin: string
  path: string
  connections: number
  warmUpMs: number
  seconds: number
  /** Of all connections together; 0: as fast as they are answered. */
  requestsPerSecond?: number
  samples?: Partial<SampleOptions>
}

/** A running generator. */
export interface Load {
  /** Resolves when its warm-up is over. */
  isMeasuring: Promise<unknown>
  result: Promise<LoadResult>
  /** Ends the measurement early. */
  stop(): void
}

/** Starts a generator in its own process. */
export function startLoad(options: LoadOptions): Load {
  const { origin, path, connections, warmUpMs, seconds, requestsPerSecond = 0, samples = {} } = options
  const args = [origin, path, connections, warmUpMs, seconds * 1000, requestsPerSecond]
  const child = startChild('ingest/generator.ts', args, { BENCH_SAMPLES: JSON.stringify(samples) })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const isMeasuring = lines.next()
  async function readResult(): Promise<LoadResult> {
    await isMeasuring
    const { value } = await lines.next()
    if (child.exitCode === null) await once(child, 'exit')
    return v.parse(loadResult, JSON.parse(String(value)))
  }
  return { isMeasuring, result: readResult(), stop: () => child.kill('SIGTERM') }
}
