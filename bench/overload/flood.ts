/**
 * More load than the capacity, from a separate process: requests at a fixed rate over many connections,
 * whether or not the previous ones are answered. A connection with a late answer sends its next request after
 * it. Prints one JSON line with the results.
 *
 * node bench/overload/flood.ts ORIGIN PATH CONNECTIONS REQUESTS_PER_SECOND MEASURE_MS
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSampleEnvelopes } from '../ingest/sample-envelopes.ts'
import { nextRequest } from '../ingest/sample-request.ts'
import { summarize } from '../support/latencies.ts'

const tickMs = 5
/** Overload is noticed in the first seconds, and measured afterwards. */
const warmUpMs = 4_000
/** Connections opened at a time: the listen backlog is 511. */
const wave = 200

interface Client {
  socket: Socket
  /** Undefined once its last request is answered. */
  sentAt: number | undefined
}

const load = {
  isMeasuring: false,
  sent: 0,
  acceptedInAll: 0,
  acceptedMs: new Array<number>(),
  rejectedMs: new Array<number>(),
  withoutWait: 0,
  other: 0,
}
const free: Client[] = []

async function open(host: string, port: number): Promise<void> {
  const socket = connect(port, host)
  await once(socket, 'connect')
  socket.setNoDelay(true)
  const client: Client = { socket, sentAt: undefined }
  // An answer of a few hundred bytes arrives in one piece.
  socket.on('data', (chunk: Buffer) => {
    if (client.sentAt === undefined) return
    note(chunk, performance.now() - client.sentAt)
    client.sentAt = undefined
    free.push(client)
  })
  socket.on('error', () => undefined)
  free.push(client)
}

function note(answer: Buffer, ms: number): void {
  const status = answer.toString('latin1', 9, 12)
  if (status === '200') load.acceptedInAll += 1
  if (!load.isMeasuring) return
  if (status === '200') load.acceptedMs.push(ms)
  else if (status === '429') {
    load.rejectedMs.push(ms)
    if (!answer.includes('retry-after: ') || !answer.includes('x-sentry-rate-limits: ')) load.withoutWait += 1
  } else load.other += 1
}

async function main([
  origin = '',
  path = '/',
  connections = '1000',
  perSecond = '10000',
  measureMs = '10000',
]: string[]) {
  const { hostname, port } = new URL(origin)
  const count = Number(connections)
  const samples = createSampleEnvelopes({ count: 500, seed: 1 })
  for (let opened = 0; opened < count; opened += wave)
    await Promise.all(
      Array.from({ length: Math.min(wave, count - opened) }, () => open(hostname, Number(port))),
    )
  let at = 0
  let due = 0
  const pace = setInterval(() => {
    due = Math.min(due + (Number(perSecond) * tickMs) / 1000, count)
    for (; due >= 1; due -= 1) {
      const client = free.shift()
      if (client === undefined) return
      client.sentAt = performance.now()
      client.socket.write(nextRequest(path, samples, at++))
      if (load.isMeasuring) load.sent += 1
    }
  }, tickMs)
  await sleep(warmUpMs)
  load.isMeasuring = true
  const measuredFrom = performance.now()
  await sleep(Number(measureMs))
  load.isMeasuring = false
  const seconds = (performance.now() - measuredFrom) / 1000
  clearInterval(pace)
  const { sent, withoutWait, other } = load
  const result = {
    seconds,
    sent,
    withoutWait,
    other,
    accepted: summarize(load.acceptedMs),
    rejected: summarize(load.rejectedMs),
  }
  // Requests in flight are answered before the connections are closed.
  const giveUpAt = performance.now() + 5_000
  while (free.length < count && performance.now() < giveUpAt) await sleep(10)
  const { acceptedInAll } = load
  process.stdout.write(`${JSON.stringify({ ...result, acceptedInAll, unanswered: count - free.length })}\n`)
  process.exit()
}

await main(process.argv.slice(2))
