import { sql } from 'kysely'
import * as v from 'valibot'
import { fromIdBytes } from '#server/store/binary-id.ts'
import type { ListedEvent } from '#server/store/issues/event-list.ts'
import type { IssueSummary } from '#server/store/issues/records.ts'
import { issueColumns, toIssueSummary, toLevel } from '#server/store/issues/row.ts'
import { createCursorCodec, cursorNumber, isBeyond, toKeysetPage } from '#server/store/keyset-page.ts'
import type { Db } from '#server/store/schema/database.ts'
import { issueOfEvent } from './moves.ts'
import { readPayloads } from './payloads.ts'

/** An event of a list, with its issue. */
export interface ProjectEvent {
  issue: IssueSummary
  event: ListedEvent
}

export interface ProjectEventPage {
  /** In order of commit, newest first. */
  events: ProjectEvent[]
  /** Absent on the last page. */
  nextCursor?: string
}

/** The cursors of a project's events. The offset in the block orders events of one block. */
export const projectEventCursors = createCursorCodec(
  'project-events',
  v.object({ blockId: cursorNumber, blockOffset: cursorNumber }),
)

/** A page of a project's events. Two statements, by the index of their blocks, which is in commit order. */
export async function listProjectEvents(
  db: Db,
  { projectId, limit, cursor }: { projectId: number; limit: number; cursor?: string },
): Promise<ProjectEventPage> {
  const from = projectEventCursors.parse(cursor)?.position
  const rows = await db
    .selectFrom('events as e')
    .innerJoin('issues as i', (join) =>
      join.onRef('i.project_id', '=', 'e.project_id').on('i.id', '=', issueOfEvent),
    )
    .innerJoin('projects as p', 'p.id', 'e.project_id')
    .select(issueColumns)
    .select([
      'e.event_id',
      'e.occurred_at',
      'e.received_at',
      'e.level as event_level',
      'e.environment',
      'e.release',
      'e.client_address',
      'e.block_id',
      'e.block_offset',
      'e.block_length',
    ])
    .where('e.project_id', '=', projectId)
    .$if(from !== undefined, (is) =>
      is.where(
        isBeyond(
          'after',
          [sql.ref('e.block_id'), sql.ref('e.block_offset')],
          [from?.blockId, from?.blockOffset],
        ),
      ),
    )
    .orderBy('e.block_id', 'desc')
    .orderBy('e.block_offset', 'desc')
    .limit(limit + 1)
    .execute()
  const { rows: shown, nextCursor } = toKeysetPage(rows, {
    cursor: undefined,
    codec: projectEventCursors,
    limit,
    positionOf: (row) => ({ blockId: row.block_id, blockOffset: row.block_offset }),
  })
  const payloads = await readPayloads(db, { projectId, rows: shown })
  return {
    events: shown.map((row, at) => ({
      issue: toIssueSummary(row),
      event: {
        eventId: fromIdBytes(row.event_id),
        occurredAt: row.occurred_at,
        receivedAt: row.received_at,
        level: toLevel(row.event_level),
        environment: row.environment,
        release: row.release ?? undefined,
        clientAddress: row.client_address ?? undefined,
        payload: payloads[at] ?? new Uint8Array(),
      },
    })),
    nextCursor,
  }
}
