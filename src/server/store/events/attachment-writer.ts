import { limits } from '#server/limits.ts'
import { toIdBytes } from '#server/store/binary-id.ts'
import type { StoreBounds } from '#server/store/bounds.ts'
import type {
  AttachmentRecord,
  CommitResult,
  CommitEntry,
  OutcomeCount,
} from '#server/store/ingest/records.ts'
import type { IngestStatements } from '#server/store/ingest/statements.ts'
import { discardedHashReason } from '#server/store/triage/discarded-hashes.ts'

/** The dependencies of `writeAttachments`. */
export interface AttachmentContext {
  statements: IngestStatements
  bounds: StoreBounds
}

/**
 * Stores the attachments of an entry, inside the batch's transaction, and returns the outcome of each:
 * `accepted`, `duplicate` if its event has the same file under the same name, `too_large` if the quota of the
 * event or the project is exceeded, `rate_limited` if its event was only counted, `filtered` if its event was
 * discarded.
 */
export function writeAttachments(
  { statements, bounds }: AttachmentContext,
  { events, attachments = [] }: CommitEntry,
  result: CommitResult,
): OutcomeCount[] {
  const commits = new Map(events.map(({ eventId }, at) => [eventId, result.events[at]]))
  return attachments.map((attachment) => {
    const { projectId, eventId, receivedAt } = attachment
    const count = { projectId, category: 'attachment', quantity: 1, at: receivedAt }
    const commit = commits.get(eventId)
    if (commit === 'counted') return { ...count, outcome: 'rate_limited', reason: 'spike_protection' }
    if (commit === 'discarded') return { ...count, outcome: 'filtered', reason: discardedHashReason }
    const reason = insertAttachment({ statements, bounds }, attachment)
    return { ...count, outcome: reason === '' ? 'accepted' : 'invalid', reason }
  })
}

/** Returns the reason why the attachment was not stored; empty if it was. */
function insertAttachment(
  { statements, bounds }: AttachmentContext,
  attachment: AttachmentRecord,
): '' | 'duplicate' | 'too_large' {
  const { projectId, name, byteCount, data } = attachment
  const eventId = toIdBytes(attachment.eventId)
  const contentHash = toIdBytes(attachment.contentHash)
  const kept = statements.readAttachments.get(name, contentHash, projectId, eventId)
  if (Number(kept?.['is_known'] ?? 0) === 1) return 'duplicate'
  const eventHasRoom =
    Number(kept?.['file_count'] ?? 0) < limits.attachmentsPerEvent &&
    Number(kept?.['byte_count'] ?? 0) + byteCount <= limits.attachmentBytesPerEvent
  const storedBytes = Number(statements.readAttachmentTotal.get(projectId)?.['stored_bytes'] ?? 0)
  const projectHasRoom = storedBytes + data.byteLength <= bounds.attachmentBytes
  if (!eventHasRoom || !projectHasRoom) return 'too_large'
  statements.insertAttachment.run(
    projectId,
    eventId,
    Number(kept?.['last_number'] ?? 0) + 1,
    name,
    attachment.contentType,
    attachment.kind,
    attachment.receivedAt,
    byteCount,
    data.byteLength,
    contentHash,
    data,
  )
  return ''
}
