import { readFileSync } from 'node:fs'
import { isJsonObject, type JsonObject } from '#protocol/json.ts'
import { parsePayloadJson } from '#protocol/payload-json.ts'
import { scrubItem } from '#server/ingest/items/scrubbed.ts'
import { normalizeEvent } from '#server/normalize/normalize-event.ts'
import { createScrubPlan } from '#server/scrub/scrub-plan.ts'
import { defaultScrubSettings } from '#server/scrub/scrub-settings.ts'
import { readEnvelope } from '#test/envelope-work.ts'
import { createSampleEnvelopes } from './ingest/sample-envelopes.ts'

const rounds = 200
const plan = createScrubPlan(defaultScrubSettings)
const eventsPerRound = 100

const fixtures = {
  'a browser error': 'browser-11.12.0.error.03.event.body',
  'a Node error with source lines': 'node-10.75.2.errorCause.02.event.body',
  'a server function with source lines': 'tanstackstart-10.75.2.serverfn-error.event.body',
}

/**
 * `npm run bench -- scrub`: microseconds for scrubbing one event, compared with parsing and normalizing it in
 * the same run. The best of many short rounds, because the machine may have other load.
 */
export function runScrubBench(): Promise<void> {
  const samples: [name: string, payload: Uint8Array][] = Object.entries(fixtures).map(([name, file]) => [
    name,
    eventPayload(readFileSync(new URL(`../test/fixtures/envelopes/${file}`, import.meta.url))),
  ])
  const [sent] = createSampleEnvelopes({ count: 1, seed: 1 })
  if (sent !== undefined) samples.push(['an event of the ingest benchmark', eventPayload(sent.bytes)])
  for (const [name, payload] of samples)
    console.log(`${name}, ${payload.byteLength} bytes: ${measure(payload)}`)
  return Promise.resolve()
}

function eventPayload(envelope: Uint8Array): Uint8Array {
  const item = readEnvelope(envelope).items.find(({ type }) => type === 'event')
  if (item === undefined) throw new Error('the envelope holds no event')
  return item.payload
}

function parse(payload: Uint8Array): JsonObject {
  const parsed = parsePayloadJson(payload)
  if (!parsed.ok || !isJsonObject(parsed.value)) throw new Error('the event is not a JSON object')
  return parsed.value
}

function measure(payload: Uint8Array): string {
  // Different values, as in ingest: a value that is read repeatedly would be in the CPU caches.
  const values = Array.from({ length: eventsPerRound }, () => parse(payload))
  const context = { eventId: '0'.repeat(32), receivedAt: Date.now() }
  const steps: Record<string, (value: JsonObject) => unknown> = {
    parse: () => parse(payload),
    normalize: (value) => normalizeEvent(value, context),
    scrub: (value) => scrubItem({ value, payload }, plan),
  }
  const best = new Map<string, number>()
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, step] of Object.entries(steps)) {
      const startedAt = performance.now()
      for (const value of values) step(value)
      const micros = ((performance.now() - startedAt) * 1000) / eventsPerRound
      best.set(name, Math.min(best.get(name) ?? Infinity, micros))
    }
  }
  return [...best].map(([name, micros]) => `${name} ${micros.toFixed(1)} µs`).join(', ')
}
