/**
 * The load generator: a separate process with raw sockets, so that it takes as little as possible from the
 * server's cores. Each connection sends the next envelope when the last one is answered or, with a rate, at
 * its scheduled time if that is later. With a rate, latency is measured from the scheduled time, so that
 * requests delayed by a slow answer are counted as slow, too. Prints one JSON line when measuring begins and
 * one with the result.
 *
 * node bench/ingest/generator.ts ORIGIN PATH CONNECTIONS WARM_UP_MS MEASURE_MS [EVENTS_PER_SECOND]
 */
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import * as v from 'valibot'
import { toHistogram } from '../support/latencies.ts'
import type { LoadResult } from './load.ts'
import { createSampleEnvelopes, sampleOptions } from './sample-envelopes.ts'
import { createRequestSources, type RequestSource } from './sample-request.ts'

interface Load {
  origin: URL
  /** One request source per connection. */
  requests: RequestSource[]
  /** Interval between the requests of one connection; 0 without a rate. */
  intervalMs: number
  isMeasuring: boolean
  isOver: boolean
  acceptedInAll: number
  rejected: number
  latenciesMs: number[]
}

/** The job from the parent: JSON. */
const options: unknown = JSON.parse(process.env['BENCH_SAMPLES'] ?? '{}')
const samples = createSampleEnvelopes({
  count: 2_000,
  seed: 1,
  ...v.parse(v.partial(sampleOptions), options),
})

async function main([
  origin = '',
  path = '',
  connections = '1',
  warmUpMs = '1000',
  measureMs = '10000',
  eventsPerSecond = '0',
]: string[]) {
  const load: Load = {
    origin: new URL(origin),
    requests: createRequestSources(path, samples, Number(connections)),
    intervalMs: eventsPerSecond === '0' ? 0 : (1_000 * Number(connections)) / Number(eventsPerSecond),
    isMeasuring: false,
    isOver: false,
    acceptedInAll: 0,
    rejected: 0,
    latenciesMs: [],
  }
  const workers = load.requests.map((nextRequest, number) => runConnection(load, nextRequest, number))
  await sleep(Number(warmUpMs))
  load.isMeasuring = true
  const startedAt = performance.now()
  print({ isMeasuring: true })
  // Stopped early: the measurement ends.
  await Promise.race([sleep(Number(measureMs), undefined, { ref: false }), once(process, 'SIGTERM')])
  load.isMeasuring = false
  const seconds = (performance.now() - startedAt) / 1000
  const sorted = load.latenciesMs.toSorted((a, b) => a - b)
  load.isOver = true
  await Promise.all(workers)
  const result: LoadResult = {
    accepted: sorted.length,
    acceptedInAll: load.acceptedInAll,
    rejected: load.rejected,
    seconds,
    p50Ms: sorted[Math.floor(sorted.length * 0.5)] ?? Number.NaN,
    p90Ms: sorted[Math.floor(sorted.length * 0.9)] ?? Number.NaN,
    p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN,
    histogram: toHistogram(sorted),
    latenciesMs: load.intervalMs > 0 ? sorted.map((ms) => Math.round(ms * 100) / 100) : [],
  }
  print(result)
}

function runConnection(load: Load, nextRequest: RequestSource, number: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(load.origin.port), load.origin.hostname)
    socket.setNoDelay(true)
    let countedFrom = 0
    // Spread over the interval, so that the connections do not all send at the same time.
    let dueAt = performance.now() + (number % 64) * (load.intervalMs / 64)
    function sendWhenDue(): void {
      dueAt += load.intervalMs
      const waitMs = load.isOver ? 0 : dueAt - performance.now()
      if (waitMs >= 1) setTimeout(sendNext, waitMs)
      else sendNext()
    }
    function sendNext(): void {
      if (load.isOver) {
        socket.end()
        resolve()
        return
      }
      countedFrom = load.intervalMs === 0 ? performance.now() : dueAt
      socket.write(nextRequest())
    }
    socket.on('connect', sendWhenDue)
    // An answer of a few hundred bytes arrives in one piece.
    socket.on('data', (chunk: Buffer) => {
      if (chunk[9] === digitTwo) {
        load.acceptedInAll++
        if (load.isMeasuring) load.latenciesMs.push(performance.now() - countedFrom)
      } else {
        load.rejected++
      }
      sendWhenDue()
    })
    socket.on('error', reject)
    socket.on('close', () => (load.isOver ? resolve() : reject(new Error('the server closed a connection'))))
  })
}

/** `HTTP/1.1 2…` */
const digitTwo = 0x32

function print(value: object): void {
  process.stdout.write(`${JSON.stringify(value)}\n`)
}

await main(process.argv.slice(2))
