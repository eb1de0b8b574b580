import { randomBytes } from 'node:crypto'
import { parseEnvelope, type Envelope } from '#protocol/envelope.ts'
import type { Services } from '#server/services.ts'
import { toEnvelopeWork } from './envelope-work.ts'
import type { Reception } from './event-item.ts'
import { refusal, takenAnswer, type IngestAnswer } from './ingest-answer.ts'

/** What taking an envelope in needs of the composition root. */
export type IngestServices = Pick<Services, 'clock' | 'log' | 'committer' | 'projectKeys' | 'publicOrigin'>

/** An envelope that needs no authentication, because it comes from this process. */
export interface LocalEnvelope {
  projectId: number
  body: Uint8Array
  clientAddress?: string
}

const tooLargeEvent = refusal(413, 'event exceeded size limits')

/**
 * Takes in an envelope without HTTP: how Culvert stores its own errors. Answers as the HTTP endpoint would; rejects
 * with `StoreUnavailableError` when nothing could be stored.
 */
export async function receiveEnvelope(services: IngestServices, local: LocalEnvelope): Promise<IngestAnswer> {
  const { body, ...origin } = local
  const parsed = parseEnvelope(body)
  if (!parsed.ok) return invalidEnvelope(parsed.problem)
  return commitEnvelope(services, parsed.envelope, { ...origin, receivedAt: services.clock() })
}

/** Processes an envelope and answers once all of it is on disk. Rejects with `StoreUnavailableError`. */
export async function commitEnvelope(
  services: IngestServices,
  envelope: Envelope,
  reception: Reception,
): Promise<IngestAnswer> {
  const { work, eventId, isEventTooLarge } = toEnvelopeWork(envelope, {
    ...reception,
    createEventId,
    onFailure(itemType, thrown) {
      services.log.error(
        { err: thrown, projectId: reception.projectId, itemType },
        'item became a dead letter',
      )
    },
  })
  if (work.events.length + work.outcomes.length + work.deadLetters.length > 0)
    await services.committer.commit(work)
  return isEventTooLarge ? tooLargeEvent : takenAnswer(eventId)
}

/** The refusal of an envelope whose framing is broken, or whose header contradicts the request. */
export function invalidEnvelope(cause: string): IngestAnswer {
  return refusal(400, 'invalid event envelope', [cause])
}

function createEventId(): string {
  return randomBytes(16).toString('hex')
}
