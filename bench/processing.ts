import { EventCache } from '#server/normalize/event-cache.ts'
import { processEnvelope, readEnvelope } from '#test/envelope-work.ts'
import type { SampleEnvelope } from './ingest/sample-envelope.ts'
import { createQuietEnvelopes, createSampleEnvelopes } from './ingest/sample-envelopes.ts'
import { toMedian } from './support/median.ts'

const rounds = 5
const userAgent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36'

/**
 * `npm run bench -- processing [events]`: CPU per event from the bytes of an envelope to the work that is
 * committed: parse, filter, normalize, scrub and group, without HTTP and store. For browser errors of 200
 * issues, whose stack traces repeat, for stack traces that never repeat, and for frames with variables that
 * never repeat; each with and without the caches of a server, alternating.
 */
export function runProcessingBench(): Promise<void> {
  const eventCount = Number(process.argv[3] ?? 10_000)
  const kinds = {
    'repeated traces': createSampleEnvelopes({ count: 2_000, seed: 1 }),
    'unique traces': createQuietEnvelopes(eventCount, 2),
    'unique variables': createSampleEnvelopes({ count: eventCount, seed: 3, frames: 'unique' }),
  }
  for (const [name, samples] of Object.entries(kinds)) {
    const micros = { with: new Array<number>(), without: new Array<number>() }
    for (let round = 0; round <= rounds; round += 1) {
      const [before, after] = [measure(samples, eventCount), measure(samples, eventCount, new EventCache())]
      // The first round warms V8 up.
      if (round > 0) micros.without.push(before)
      if (round > 0) micros.with.push(after)
    }
    const text = Object.entries(micros).map(
      ([caches, list]) => `${toMedian(list).toFixed(1)} µs ${caches} caches`,
    )
    console.log(`${name}: ${text.join(', ')}`)
  }
  return Promise.resolve()
}

function measure(samples: readonly SampleEnvelope[], eventCount: number, cache?: EventCache): number {
  const context = { projectId: 1, userAgent, clientAddress: '203.0.113.7', ...(cache && { cache }) }
  const startedAt = process.cpuUsage()
  for (let done = 0; done < eventCount; done += 1) {
    const sample = samples[done % samples.length]
    if (sample !== undefined) processEnvelope(readEnvelope(sample.bytes), context)
  }
  const { user, system } = process.cpuUsage(startedAt)
  return (user + system) / eventCount
}
