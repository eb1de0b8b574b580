import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { fromIdBytes } from '#server/store/binary-id.ts'
import type { ListedEvent } from '#server/store/issues/event-list.ts'
import { issueColumns, toIssueSummary, toLevel } from '#server/store/issues/row.ts'
import type { IssueSummary } from '#server/store/issues/views.ts'
import type { Database } from '#server/store/schema/database.ts'
import { issueOfEvent } from './moves.ts'
import { readPayloads } from './payloads.ts'

/** An event of a list, with its issue. */
export interface ProjectEvent {
  issue: IssueSummary
  event: ListedEvent
}

export interface ProjectEventPage {
  /** Those committed last come first. */
  events: ProjectEvent[]
  /** Absent on the last page. */
  nextCursor?: string
}

/** A page of a project's events. Two statements, by the index of their blocks, which are in the order they came. */
export async function listProjectEvents(
  db: Kysely<Database>,
  { projectId, limit, cursor }: { projectId: number; limit: number; cursor?: string },
): Promise<ProjectEventPage> {
  const place = parseCursor(cursor)
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
      'e.block_offset',
      'e.block_length',
    ])
    .select(['e.block_id', sql<number>`e.rowid`.as('row_id')])
    .where('e.project_id', '=', projectId)
    .$if(place !== undefined, (is) =>
      is.where(sql<boolean>`(e.block_id, e.rowid) < (${place?.blockId}, ${place?.rowId})`),
    )
    .orderBy('e.block_id', 'desc')
    .orderBy(sql`e.rowid`, 'desc')
    .limit(limit + 1)
    .execute()
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
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
        ...(row.release !== null && { release: row.release }),
        ...(row.client_address !== null && { clientAddress: row.client_address }),
        payload: payloads[at] ?? new Uint8Array(),
      },
    })),
    ...(last && { nextCursor: `${last.block_id}.${last.row_id}` }),
  }
}

function parseCursor(text: string | undefined): { blockId: number; rowId: number } | undefined {
  const [, block, row] = /^(\d{1,16})\.(\d{1,16})$/.exec(text ?? '') ?? []
  const [blockId, rowId] = [Number(block), Number(row)]
  return Number.isSafeInteger(blockId) && Number.isSafeInteger(rowId) ? { blockId, rowId } : undefined
}

/** True for a cursor of such a list. */
export function isProjectEventCursor(text: string): boolean {
  return parseCursor(text) !== undefined
}
