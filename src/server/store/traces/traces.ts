import type { Kysely } from 'kysely'
import { limits } from '#server/limits.ts'
import { toIdBytes } from '#server/store/binary-id.ts'
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
  /** Segments at most; left out: `limits.traceSegmentsRead`. */
  maxCount?: number
}

/**
 * The segments of a trace, newest first; at most `limits.traceSegmentsRead`. One statement. A body that
 * cannot be read is left out, and so are the spans of root spans that a filter dropped.
 */
export async function listTraceSegments(
  db: Kysely<Database>,
  { traceId, projectIds, maxCount = limits.traceSegmentsRead }: TraceQuery,
): Promise<StoredSegment[]> {
  const rows = await db
    .selectFrom('projects as p')
    .crossJoin('trace_segments as t')
    .select(['p.id', 'p.slug', 'p.name', 'p.platform'])
    .select(['t.name as transaction', 't.environment', 't.release', 't.received_at', 't.data'])
    .where('p.id', 'in', projectIds)
    .whereRef('t.project_id', '=', 'p.id')
    .where('t.trace_id', '=', toIdBytes(traceId))
    .orderBy('t.id', 'desc')
    .limit(maxCount)
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
  return leaveOutFiltered(segments)
}

/** The segments of an event's trace, as few as its page needs; no statement for an event without one. */
export async function listSegmentsOfEvent(
  db: Kysely<Database>,
  { traceId }: { traceId?: string | undefined },
  projectIds: readonly number[],
): Promise<StoredSegment[]> {
  if (traceId === undefined) return []
  return listTraceSegments(db, { traceId, projectIds, maxCount: limits.smallTraceSegments })
}
