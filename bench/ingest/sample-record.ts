import type { EventRecord } from '#server/store/ingest/records.ts'
import { processEnvelope, readEnvelope } from '#test/envelope-work.ts'

/** The event of a sample envelope as ingest passes it to the committer. Spike protection is off. */
export function toSampleRecord(bytes: Uint8Array, projectId: number): EventRecord {
  const { work } = processEnvelope(readEnvelope(bytes), { projectId, clientAddress: '203.0.113.9' })
  const [record] = work.events
  if (record === undefined) throw new Error('a sample makes no event')
  const { spikeProtection: _, ...kept } = record
  return kept
}
