import { parseEventId } from '#protocol/event-id.ts'
import { projectsWith, reachableProjects, type Viewer } from '#server/auth/viewer.ts'
import { readSuspectCommits } from '#server/console/issues/suspects.ts'
import { parseDeadLetterReference } from '#server/console/outcomes/dead-letters.ts'
import type { Services } from '#server/services.ts'
import { findAttachment } from '#server/store/events/attachments.ts'
import { findEvent } from '#server/store/events/events.ts'
import { findDeadLetter } from '#server/store/outcomes/dead-letters.ts'
import { readShownEvent } from './events.ts'
import { toEventMarkdown, type MarkdownReader } from './markdown.ts'

/** A file to download. */
export interface Download {
  name: string
  bytes: Uint8Array
}

/** A file of an event, by its number; undefined if there is none. One statement. */
export async function findAttachmentDownload(
  services: Services,
  viewer: Viewer,
  { eventId, number }: { eventId: string; number: string },
): Promise<Download | undefined> {
  const id = parseEventId(eventId)
  if (id === undefined || !/^[1-9][0-9]{0,5}$/.test(number)) return undefined
  return findAttachment(services.store.db, {
    eventId: id,
    number: Number(number),
    projectIds: reachableProjects(viewer),
  })
}

async function findReachableEvent({ store }: Services, viewer: Viewer, eventId: string) {
  const id = parseEventId(eventId)
  return id === undefined ? undefined : findEvent(store.db, { id, projectIds: reachableProjects(viewer) })
}

/** An event's stored payload: JSON. Undefined if the event does not exist. One statement. */
export async function findEventDownload(
  services: Services,
  viewer: Viewer,
  eventId: string,
): Promise<Download | undefined> {
  const found = await findReachableEvent(services, viewer, eventId)
  return found && { name: `event-${found.event.eventId}.json`, bytes: found.event.payload }
}

/** An event and its issue as Markdown; undefined if the event does not exist. Two statements. */
export async function findEventMarkdown(
  services: Services,
  viewer: Viewer,
  { eventId, reader }: { eventId: string; reader: MarkdownReader },
): Promise<string | undefined> {
  const found = await findReachableEvent(services, viewer, eventId)
  if (found === undefined) return undefined
  const { event } = await readShownEvent(services, found.event)
  const suspects = await readSuspectCommits(services, { ...found, shown: event })
  const parts = { issue: found.issue, event, suspects }
  return toEventMarkdown(parts, { origin: services.publicOrigin, reader })
}

/**
 * The original bytes of a dead letter, for users who configure its project; undefined if there is none. One
 * statement.
 */
export async function findDeadLetterDownload(
  services: Services,
  viewer: Viewer,
  letter: { projectId: string; id: string },
): Promise<Download | undefined> {
  const reference = parseDeadLetterReference(`${letter.projectId}:${letter.id}`)
  if (reference === undefined || !projectsWith(viewer, 'configure').includes(reference.projectId))
    return undefined
  const found = await findDeadLetter(services.store.db, reference)
  return found && { name: `dead-letter-${letter.id}.${found.itemType}.bin`, bytes: found.payload }
}
