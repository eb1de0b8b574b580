import { randomBytes } from 'node:crypto'
import { parseEnvelope } from '#protocol/envelope.ts'
import { toEnvelopeWork } from '#server/ingest/envelope/envelope-work.ts'
import { compileProjectRules } from '#server/ingest/project-rules.ts'
import type { EventRecord } from '#server/store/ingest/records.ts'
import { defaultProjectSettings } from '#server/store/projects/settings.ts'
import { createSampleEnvelopes } from '../ingest/sample-envelopes.ts'
import type { SampleEnvelope } from '../ingest/sample-envelopes.ts'

/**
 * Makes the next event, as if it had been received at an instant (Unix milliseconds). Each has an id of its
 * own.
 */
export type EventSource = (at: number) => EventRecord

/**
 * Events of about 6 kB as ingest hands them to the committer: 5,000 different ones over 200 issues, in turn.
 */
export function createEventSource(projectId: number): EventSource {
  const templates = createSampleEnvelopes({ count: 5_000, seed: 7 }).map((sample) =>
    toTemplate(sample, projectId),
  )
  let made = 0
  return (at) => {
    const template = templates[made % templates.length]
    if (template === undefined) throw new Error('there are no templates')
    made += 1
    const eventId = randomBytes(16).toString('hex')
    const payload = Buffer.from(template.payload)
    payload.write(eventId, payload.indexOf(template.eventId), 'latin1')
    return { ...template, eventId, occurredAt: at, receivedAt: at, payload }
  }
}

function toTemplate({ bytes }: SampleEnvelope, projectId: number): EventRecord {
  const parsed = parseEnvelope(bytes)
  if (!parsed.ok) throw new Error(parsed.problem)
  const { work } = toEnvelopeWork(parsed.envelope, {
    projectId,
    receivedAt: Date.now(),
    clientAddress: '203.0.113.9',
    rules: compileProjectRules(defaultProjectSettings),
    createEventId: () => '',
    onFailure(_itemType, thrown) {
      throw thrown
    },
  })
  const [record] = work.events
  if (record === undefined) throw new Error('a sample makes no event')
  const { spikeProtection: _, ...kept } = record
  return kept
}
