import { parseEnvelope } from '#protocol/envelope.ts'
import { toEnvelopeWork } from '#server/ingest/envelope/envelope-work.ts'
import { compileProjectRules } from '#server/ingest/project-rules.ts'
import type { EventRecord } from '#server/store/ingest/records.ts'
import { defaultProjectSettings } from '#server/store/projects/settings.ts'

/** The event of a sample envelope as ingest passes it to the committer. Spike protection is off. */
export function toSampleRecord(bytes: Uint8Array, projectId: number): EventRecord {
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
