import { limits } from '#server/limits.ts'
import { fromIdBytes, toIdBytes } from '#server/store/binary-id.ts'
import { prepareQuery } from '#server/store/prepared-query.ts'
import type { Db } from '#server/store/schema/database.ts'
import { selectReferences, toEventReference, type StoredEvent } from './events.ts'
import { readPayloads } from './payloads.ts'
import type { EventReference } from './records.ts'

interface OtherEventsQuery {
  traceId: Uint8Array
  eventId: Uint8Array
  projectIds: readonly number[]
}

const otherEvents = prepareQuery((db, { traceId, eventId, projectIds }: OtherEventsQuery) =>
  db
    .selectFrom(selectEventsOfTrace(db, traceId, projectIds).where('e.event_id', '<>', eventId).as('found'))
    .selectAll()
    .orderBy('occurred_at')
    .orderBy('event_id')
    .limit(limits.traceEventsShown),
)

/**
 * The other events of an event's trace, in any of the projects: reads at most `limits.traceEventsRead` and
 * returns the earliest of them. One statement; none for an event without a trace.
 */
export async function listTraceEvents(
  db: Db,
  { eventId, traceId }: Pick<StoredEvent, 'eventId' | 'traceId'>,
  projectIds: readonly number[],
): Promise<EventReference[]> {
  if (traceId === undefined) return []
  const ids = { traceId: toIdBytes(traceId), eventId: toIdBytes(eventId) }
  const rows = await otherEvents(db, { ...ids, projectIds })
  return rows.map(toEventReference)
}

/** An event of a trace. */
export interface TraceEvent {
  reference: EventReference
  /** The event item's bytes as received; empty if they are damaged. */
  payload: Uint8Array
}

/** Events of a trace. */
export interface CountedTraceEvents {
  /** The earliest events. */
  listed: TraceEvent[]
  /** The number of events, up to `limits.traceEventsRead`. */
  count: number
  /** The number of performance problems among them. */
  problemCount: number
}

/** The events of `listTraceEvents` with their payloads. One statement, then one per project, in parallel. */
export async function listTraceEventsWithPayloads(
  db: Db,
  { traceId, projectIds }: { traceId: string; projectIds: readonly number[] },
): Promise<CountedTraceEvents> {
  const found = selectEventsOfTrace(db, toIdBytes(traceId), projectIds).select([
    'e.block_id',
    'e.block_offset',
    'e.block_length',
  ])
  const rows = await db
    .selectFrom(found.as('found'))
    .selectAll()
    .select((of) => [
      of.fn.countAll<number>().over().as('event_count'),
      of.fn
        .sum<number>(of.case().when('type', '=', 'performance').then(1).else(0).end())
        .over()
        .as('problem_count'),
    ])
    .orderBy('occurred_at')
    .orderBy('event_id')
    .limit(limits.traceEventsShown)
    .execute()
  const byProject = [...Map.groupBy(rows, (row) => row.project_id)]
  const payloads = new Map<string, Uint8Array>()
  await Promise.all(
    byProject.map(async ([projectId, ofProject]) => {
      const read = await readPayloads(db, { projectId, rows: ofProject, onDamage: 'empty' })
      for (const [at, row] of ofProject.entries())
        payloads.set(`${projectId} ${fromIdBytes(row.event_id)}`, read[at] ?? new Uint8Array())
    }),
  )
  const listed = rows.map((row) => ({
    reference: toEventReference(row),
    payload: payloads.get(`${row.project_id} ${fromIdBytes(row.event_id)}`) ?? new Uint8Array(),
  }))
  return { listed, count: rows[0]?.event_count ?? 0, problemCount: rows[0]?.problem_count ?? 0 }
}

function selectEventsOfTrace(db: Db, traceId: Uint8Array, projectIds: readonly number[]) {
  return selectReferences(db, projectIds).where('e.trace_id', '=', traceId).limit(limits.traceEventsRead)
}
