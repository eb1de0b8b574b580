import type { Kysely } from 'kysely'
import { limits } from '#server/limits.ts'
import { toIdBytes } from '#server/store/binary-id.ts'
import type { Database } from '#server/store/schema/database.ts'
import { selectReferences, toEventReference, type StoredEvent } from './events.ts'
import type { EventReference } from './records.ts'

/**
 * The other events of an event's trace, in any of the projects: at most `limits.traceEventsRead` of them are
 * read, and the earliest of those returned. One statement, and none for an event without a trace.
 */
export async function listTraceEvents(
  db: Kysely<Database>,
  { eventId, traceId }: Pick<StoredEvent, 'eventId' | 'traceId'>,
  projectIds: readonly number[],
): Promise<EventReference[]> {
  if (traceId === undefined) return []
  const found = selectReferences(db, projectIds)
    .where('e.trace_id', '=', toIdBytes(traceId))
    .where('e.event_id', '<>', toIdBytes(eventId))
    .limit(limits.traceEventsRead)
  const rows = await db
    .selectFrom(found.as('found'))
    .selectAll()
    .orderBy('occurred_at')
    .orderBy('event_id')
    .limit(limits.traceEventsShown)
    .execute()
  return rows.map(toEventReference)
}
