import { fromIdBytes, toIdBytes } from '#server/store/binary-id.ts'
import type { Db } from '#server/store/schema/database.ts'
import { readPayload } from './body-block.ts'

/** A stored event for a trial run of settings. */
export interface SampleEvent {
  /** 32 lower-case hex digits. */
  eventId: string
  issueId: string
  occurredAt: number
  receivedAt: number
  clientAddress?: string
  /** The stored, scrubbed payload. */
  payload: Uint8Array
}

/**
 * An event of a project: the one whose id begins with these hex digits (at least twelve), or by default the
 * latest one of an unresolved issue. One statement.
 */
export async function findSampleEvent(
  db: Db,
  { projectId, id }: { projectId: number; id?: string },
): Promise<SampleEvent | undefined> {
  const row = await db
    .selectFrom('events as e')
    .innerJoin('body_blocks as b', (join) =>
      join.onRef('b.project_id', '=', 'e.project_id').onRef('b.id', '=', 'e.block_id'),
    )
    .select(['e.event_id', 'e.issue_id', 'e.occurred_at', 'e.received_at', 'e.client_address'])
    .select(['e.block_offset', 'e.block_length', 'b.data', 'b.raw_bytes'])
    .where('e.project_id', '=', projectId)
    .where((is) =>
      id !== undefined
        ? is.and([
            is('e.event_id', '>=', toIdBytes(id.padEnd(32, '0'))),
            is('e.event_id', '<=', toIdBytes(id.padEnd(32, 'f'))),
          ])
        : is(
            'e.event_id',
            '=',
            is
              .selectFrom('issues as i')
              .select('i.latest_event_id')
              .where('i.project_id', '=', projectId)
              .where('i.status', '=', 'unresolved')
              .orderBy('i.last_seen_at', 'desc')
              .limit(1),
          ),
    )
    .limit(1)
    .executeTakeFirst()
  if (row === undefined) return undefined
  return {
    eventId: fromIdBytes(row.event_id),
    issueId: String(row.issue_id),
    occurredAt: row.occurred_at,
    receivedAt: row.received_at,
    clientAddress: row.client_address ?? undefined,
    payload: readPayload({ data: row.data, rawBytes: row.raw_bytes }, row.block_offset, row.block_length),
  }
}

/** The issue of a group hash, with its title. One statement. */
export async function findIssueOfHash(
  db: Db,
  { projectId, hash }: { projectId: number; hash: string },
): Promise<{ issueId: string; title: string; subtitle: string } | undefined> {
  const row = await db
    .selectFrom('issue_hashes as h')
    .innerJoin('issues as i', (join) =>
      join.onRef('i.project_id', '=', 'h.project_id').onRef('i.id', '=', 'h.issue_id'),
    )
    .select(['i.id', 'i.title', 'i.subtitle'])
    .where('h.project_id', '=', projectId)
    .where('h.hash', '=', toIdBytes(hash))
    .executeTakeFirst()
  return row && { issueId: String(row.id), title: row.title, subtitle: row.subtitle }
}
