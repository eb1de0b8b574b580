import { randomBytes } from 'node:crypto'
import type { EventRecord } from '#server/store/ingest/records.ts'
import { createSampleEnvelopes } from '../ingest/sample-envelopes.ts'
import { toSampleRecord } from '../ingest/sample-record.ts'

/** Creates the next event, as if received at that time (Unix milliseconds). Each has a unique id. */
export type EventSource = (at: number) => EventRecord

/** Events of about 6 kB as ingest commits them: 5,000 different ones over 200 issues, in rotation. */
export function createEventSource(projectId: number): EventSource {
  const templates = createSampleEnvelopes({ count: 5_000, seed: 7 }).map((sample) =>
    toSampleRecord(sample.bytes, projectId),
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
