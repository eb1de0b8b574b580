import { randomBytes } from 'node:crypto'
import { createCommitter } from '#server/store/ingest/committer.ts'
import type { EventRecord } from '#server/store/ingest/records.ts'
import { openStore } from '#server/store/store.ts'
import { dayMs } from '#time/time-steps.ts'
import type { SampleEnvelope } from '../ingest/sample-envelope.ts'
import { createQuietEnvelopes, createSampleEnvelopes, type Frames } from '../ingest/sample-envelopes.ts'
import { toSampleRecord } from '../ingest/sample-record.ts'
import { commitEvents } from '../support/commit-events.ts'
import { benchProject, createBenchProject } from '../support/project.ts'
import { multiplyEvents } from './multiply-events.ts'

/** Days over which the events are spread, ending now. */
const days = 14

const batchEvents = 500

/** One of this many events belongs to an issue with few events. */
const quietEvery = 10

export interface FillOptions {
  /** A file that does not exist yet, or the URL of an empty PostgreSQL database. */
  path: string
  eventCount: number
  /**
   * How many events share a payload and differ in their ids and times; only the first of them takes the
   * pipeline. Divides `eventCount`. Default: the number of millions.
   */
  copies?: number
  /** Total number of issues. Those that are not busy get a tenth of the events. */
  issueCount: number
  /** Default: 200. */
  busyIssueCount?: number
  frames?: Frames
  /** Called with the progress. */
  onProgress?: (eventCount: number) => void
}

/**
 * Creates a store of many events, as if they had been received over the last 14 days: browser errors of about
 * 6 kB, through the whole pipeline and the committer, each with a unique id. They are variations of 20,000
 * events created in advance, because creating events takes longer than storing them.
 */
export async function fillStore({ eventCount, ...options }: FillOptions): Promise<void> {
  const { copies = toCopies(eventCount), path } = options
  await fillByPipeline({ ...options, eventCount: eventCount / copies })
  if (copies > 1) await multiplyEvents(path, copies)
}

const million = 1_000_000

function toCopies(eventCount: number): number {
  return eventCount > million && eventCount % million === 0 ? eventCount / million : 1
}

async function fillByPipeline(options: FillOptions): Promise<void> {
  const { path, eventCount, issueCount, busyIssueCount = 200, frames, onProgress } = options
  const endsAt = Date.now()
  const startsAt = endsAt - days * dayMs
  let now = startsAt
  const store = await openStore({ path, clock: () => Math.floor(now) })
  await createBenchProject(store)
  const committer = createCommitter(store)
  const busy = createSampleEnvelopes({ count: 20_000, seed: 11, issueCount: busyIssueCount, frames }).map(
    toTemplate,
  )
  const quiet = createQuietEnvelopes(Math.max(0, issueCount - busyIssueCount), 12).map(toTemplate)
  for (let done = 0; done < eventCount; done += batchEvents) {
    const batch = Array.from({ length: Math.min(batchEvents, eventCount - done) }, (_, index) => {
      const at = done + index
      const isQuiet = quiet.length > 0 && at % quietEvery === 0
      now = startsAt + (at / eventCount) * (endsAt - startsAt)
      return isQuiet
        ? toEvent(quiet, at / quietEvery, Math.floor(now))
        : toEvent(busy, Math.imul(at, 7919) >>> 0, Math.floor(now))
    })
    await commitEvents(committer, batch)
    if ((done / batchEvents) % 100 === 0) onProgress?.(done)
  }
  await committer.drain()
  await store.close()
}

interface Template {
  record: EventRecord
  idOffset: number
}

function toTemplate({ bytes, idOffsets }: SampleEnvelope): Template {
  const record = toSampleRecord(bytes, benchProject.id)
  return { record, idOffset: (idOffsets[1] ?? 0) - record.payload.byteOffset + bytes.byteOffset }
}

function toEvent(templates: Template[], at: number, occurredAt: number): EventRecord {
  const template = templates[at % templates.length]
  if (template === undefined) throw new Error('there are no templates')
  const eventId = randomBytes(16).toString('hex')
  const payload = Buffer.from(template.record.payload)
  payload.write(eventId, template.idOffset, 'latin1')
  return { ...template.record, eventId, occurredAt, receivedAt: occurredAt, payload }
}
