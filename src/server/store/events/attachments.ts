import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import { toIdBytes } from '#server/store/binary-id.ts'
import type { Db } from '#server/store/schema/database.ts'

/** A stored file. */
export interface StoredAttachment {
  projectId: number
  name: string
  /** As declared by the sender; it can be any text. */
  contentType: string
  bytes: Uint8Array
}

export interface AttachmentKey {
  /** 32 lower-case hex digits. */
  eventId: string
  /** Its number among the event's files, from 1. */
  number: number
  /** Projects that the reader has access to. Files of other projects are not found. */
  projectIds: readonly number[]
}

const decompress = promisify(zstdDecompress)

/** A file of an event; of the latest event, if several projects have the same id. One statement. */
export async function findAttachment(
  db: Db,
  { eventId, number, projectIds }: AttachmentKey,
): Promise<StoredAttachment | undefined> {
  const row = await db
    .selectFrom('projects as p')
    .crossJoin('events as e')
    .innerJoin('attachments as a', (join) =>
      join.onRef('a.project_id', '=', 'e.project_id').onRef('a.event_id', '=', 'e.event_id'),
    )
    .select(['a.project_id', 'a.name', 'a.content_type', 'a.byte_count', 'a.data'])
    .where('p.id', 'in', projectIds)
    .whereRef('e.project_id', '=', 'p.id')
    .where('e.event_id', '=', toIdBytes(eventId))
    .where('a.number', '=', number)
    .orderBy('e.occurred_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const bytes = await decompress(row.data, { maxOutputLength: Math.max(row.byte_count, 1) })
  return { projectId: row.project_id, name: row.name, contentType: row.content_type, bytes }
}
