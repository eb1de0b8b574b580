import { sql } from 'kysely'
import type { Kysely, RawBuilder } from 'kysely'
import { limits } from '#server/limits.ts'
import { toIdBytes } from '#server/store/binary-id.ts'
import type { StoredEvent } from '#server/store/events/events.ts'
import { toProjectName } from '#server/store/projects/projects.ts'
import type { Database } from '#server/store/schema/database.ts'
import { leaveOutFiltered } from './filtered-segments.ts'
import type { StoredSegment } from './records.ts'
import { readSegmentBody } from './segment-body.ts'

/** A trace as a viewer asks for it. */
export interface TraceQuery {
  /** 32 lower-case hex digits. */
  traceId: string
  /** Projects that the viewer has access to. */
  projectIds: readonly number[]
}

/** Segments of a trace. */
export interface TraceSegments {
  /** Newest first. */
  segments: StoredSegment[]
  /** Segments of the trace that are stored, counted up to `limits.traceSegmentsCounted`. */
  storedCount: number
  /** False if some of them were not read. */
  isWhole: boolean
}

/**
 * The segments of a trace that started first, at most `limits.traceSegmentsRead`: spans start after their
 * parents. One statement. A body that cannot be read is left out, and so are the spans of root spans that a
 * filter dropped.
 */
export function listTraceSegments(db: Kysely<Database>, query: TraceQuery): Promise<TraceSegments> {
  return readSegments(db, query, {
    maxCount: limits.traceSegmentsRead,
    order: [sql`started_at`, sql`id`],
  })
}

/**
 * The segments of an event's trace, as few as its page needs: those that ran when it happened, or nearest to
 * it, before others those of its project and short ones. No statement for an event without a trace.
 */
export async function listSegmentsOfEvent(
  db: Kysely<Database>,
  { traceId, projectId, occurredAt }: Pick<StoredEvent, 'traceId' | 'projectId' | 'occurredAt'>,
  projectIds: readonly number[],
): Promise<TraceSegments> {
  if (traceId === undefined) return { segments: [], storedCount: 0, isWhole: true }
  // The columns are whole milliseconds.
  const endedAt = sql`(started_at + duration_us / 1000 + 2)`
  const distance = sql`case when started_at > ${occurredAt} then started_at - ${occurredAt}
    when ${endedAt} < ${occurredAt} then ${occurredAt} - ${endedAt} else 0 end`
  const isOther = sql`case when project_id = ${projectId} then 0 else 1 end`
  return readSegments(
    db,
    { traceId, projectIds },
    { maxCount: limits.smallTraceSegments, order: [distance, isOther, sql`duration_us`, sql`id`] },
  )
}

/** Chooses by the columns before the bodies, which are last in a row, so that only those shown are read. */
async function readSegments(
  db: Kysely<Database>,
  { traceId, projectIds }: TraceQuery,
  { maxCount, order }: { maxCount: number; order: RawBuilder<unknown>[] },
): Promise<TraceSegments> {
  const found = db
    .selectFrom('projects as p')
    .crossJoin('trace_segments as t')
    .select(['t.project_id', 't.id', 't.started_at', 't.duration_us'])
    .where('p.id', 'in', projectIds)
    .whereRef('t.project_id', '=', 'p.id')
    .where('t.trace_id', '=', toIdBytes(traceId))
    .limit(limits.traceSegmentsCounted)
  let chosen = db
    .selectFrom(found.as('found'))
    .select((of) => ['project_id', 'id', of.fn.countAll<number>().over().as('stored_count')])
    .limit(maxCount)
  for (const by of order) chosen = chosen.orderBy(by)
  const rows = await db
    .selectFrom(chosen.as('chosen'))
    .innerJoin('trace_segments as t', (join) =>
      join.onRef('t.project_id', '=', 'chosen.project_id').onRef('t.id', '=', 'chosen.id'),
    )
    .innerJoin('projects as p', 'p.id', 't.project_id')
    .select(['p.id', 'p.slug', 'p.name', 'p.platform', 'chosen.stored_count'])
    .select(['t.name as transaction', 't.environment', 't.release', 't.received_at', 't.data'])
    .where('t.project_id', 'in', projectIds)
    .orderBy('t.id', 'desc')
    .execute()
  const segments = rows.flatMap((row) => {
    const { transaction, environment, release, data } = row
    const columns = { traceId, transaction, environment, release: release ?? undefined }
    try {
      const segment = readSegmentBody(data, columns)
      return { project: toProjectName(row), receivedAt: row.received_at, segment }
    } catch {
      return []
    }
  })
  const storedCount = rows[0]?.stored_count ?? 0
  return { segments: leaveOutFiltered(segments), storedCount, isWhole: storedCount <= maxCount }
}
