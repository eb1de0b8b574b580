/**
 * An ordinary client: one connection, an event every few milliseconds. Prints one JSON line with the response
 * times.
 *
 * node bench/connections/probe.ts ORIGIN PATH MEASURE_MS [EVERY_MS]
 */
import { randomBytes } from 'node:crypto'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSampleEnvelopes } from '../ingest/sample-envelopes.ts'
import { summarize } from '../support/latencies.ts'

const [origin = '', path = '/', measureMs = '5000', everyMs = '10'] = process.argv.slice(2)
const samples = createSampleEnvelopes({ count: 100, seed: 7 })
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const answeredMs: number[] = []
let rejected = 0

function send(at: number): Promise<number | undefined> {
  const sample = samples[at % samples.length]
  if (sample === undefined) throw new Error('there are no samples')
  const body = Buffer.from(sample.bytes)
  const eventId = randomBytes(16).toString('hex')
  for (const offset of sample.idOffsets) body.write(eventId, offset, 'latin1')
  return new Promise((resolve) => {
    request(
      `${origin}${path}`,
      { method: 'POST', agent, headers: { 'content-length': body.length } },
      (response) => {
        response.on('end', () => resolve(response.statusCode)).resume()
      },
    )
      .on('error', () => resolve(undefined))
      .end(body)
  })
}

const endsAt = performance.now() + Number(measureMs)
for (let at = 0; performance.now() < endsAt; at += 1) {
  const startedAt = performance.now()
  if ((await send(at)) === 200) answeredMs.push(performance.now() - startedAt)
  else rejected += 1
  await sleep(Number(everyMs))
}
agent.destroy()
process.stdout.write(`${JSON.stringify({ ...summarize(answeredMs), rejected })}\n`)
