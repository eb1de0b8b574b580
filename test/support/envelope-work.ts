import { parseEnvelope, type Envelope } from '#protocol/envelope.ts'
import type { EnvelopeWork, WorkContext } from '#server/ingest/envelope/envelope-state.ts'
import { toEnvelopeWork } from '#server/ingest/envelope/envelope-work.ts'
import { compileProjectRules } from '#server/ingest/project-rules.ts'
import { defaultProjectSettings } from '#server/store/projects/settings.ts'
import { randomEventId } from './envelopes.ts'

const rules = compileProjectRules(defaultProjectSettings)

/** Parses a valid envelope; throws for any other. */
export function readEnvelope(envelope: string | Uint8Array): Envelope {
  const parsed = parseEnvelope(typeof envelope === 'string' ? Buffer.from(envelope) : envelope)
  if (!parsed.ok) throw new Error(parsed.problem)
  return parsed.envelope
}

/** Processes an envelope as ingest does. Throws where ingest stores a dead letter. */
export function processEnvelope(
  envelope: Envelope,
  context: Partial<WorkContext> & { projectId: number },
): EnvelopeWork {
  return toEnvelopeWork(envelope, {
    receivedAt: Date.now(),
    rules,
    createEventId: randomEventId,
    onFailure: (itemType, thrown) => {
      throw new Error(`the ${itemType} became a dead letter`, { cause: thrown })
    },
    ...context,
  })
}
