import { randomBytes } from 'node:crypto'
import { itemCategory } from '#protocol/data-category.ts'
import type { Envelope } from '#protocol/envelope.ts'
import type { DeadLetterReference } from '#server/store/ingest/records.ts'
import { findDeadLetter, type StoredDeadLetter } from '#server/store/outcomes/dead-letters.ts'
import { getProjectSettings } from '#server/store/projects/settings.ts'
import type { Store } from '#server/store/store.ts'
import type { IngestServices } from './ingest-services.ts'
import { compressAttachments } from './items/compress-attachments.ts'
import { findMappedLocations } from './items/mapped-locations.ts'
import { compileProjectRules } from './project-rules.ts'

/**
 * The result of retrying a dead letter: `done` if it was processed and deleted; `gone` if it does not exist
 * or another process retried it first; `failed` if processing failed again, so it remains stored.
 */
export type RetryResult = { outcome: 'done' } | { outcome: 'gone' } | { outcome: 'failed'; reason: string }

/**
 * Processes a dead letter's item again, with its original bytes and time. Its events are written and the dead
 * letter is deleted in one transaction. Rejects with `StoreUnavailableError` if nothing could be stored.
 */
export async function retryDeadLetter(
  services: Pick<IngestServices, 'committer' | 'log' | 'sliceQueue' | 'sourceMaps'> & { store: Store },
  reference: DeadLetterReference,
): Promise<RetryResult> {
  const letter = await findDeadLetter(services.store.db, reference)
  if (letter === undefined) return { outcome: 'gone' }
  const settings = await getProjectSettings(services.store.db, reference.projectId)
  const { itemType, receivedAt, origin } = letter
  const { clientAddress, userAgent } = origin
  const envelope = toEnvelope(letter)
  const reception = { projectId: reference.projectId, receivedAt }
  const context = {
    ...reception,
    mappedLocations: await findMappedLocations(services, envelope, reception),
    rules: compileProjectRules(settings),
    clientAddress,
    userAgent,
    createEventId: () => randomBytes(16).toString('hex'),
    onFailure: (_itemType: string, thrown: unknown) =>
      services.log.error({ err: thrown, ...reference, itemType }, 'dead letter failed again'),
  }
  const { work, attachments } = await services.sliceQueue.process(envelope, context, { isOverloaded: false })
  const [failure] = work.deadLetters
  if (failure !== undefined) return { outcome: 'failed', reason: failure.reason }
  if (attachments.length > 0) work.attachments = await compressAttachments(attachments)
  work.retryOf = { ...reference, receivedAt, category: letter.category ?? itemCategory(itemType) }
  const { events, isGone } = await services.committer.commit(work)
  if (isGone) return { outcome: 'gone' }
  return events.includes('dead_letter')
    ? { outcome: 'failed', reason: 'the event could not be written' }
    : { outcome: 'done' }
}

function toEnvelope({ itemType, origin, payload }: StoredDeadLetter): Envelope {
  const { eventId, sentAt, itemHeader = {} } = origin
  return {
    header: { eventId, sentAt, raw: {} },
    items: [{ type: itemType, header: { ...itemHeader, type: itemType }, payload }],
  }
}
