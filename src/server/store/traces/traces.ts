import type { Kysely } from 'kysely'
import { limits } from '#server/limits.ts'
import { toIdBytes } from '#server/store/binary-id.ts'
import type { Database } from '#server/store/schema/database.ts'
import type { StoredSegment, TraceEvent } from './records.ts'
import { readSegmentBody } from './segment-body.ts'

/** A trace as a viewer asks for it. */
export interface TraceQuery {
  /** 32 lower-case hex digits. */
  traceId: string
  /** Those that the viewer may read. */
  projectIds: readonly number[]
}

/**
 * The segments of a trace, newest first; at most `limits.traceSegmentsRead`. One statement. A body that
 * cannot be read is left out.
 */
export async function listTraceSegments(
  db: Kysely<Database>,
  { traceId, projectIds }: TraceQuery,
): Promise<StoredSegment[]> {
  const rows = await db
    .selectFrom('trace_segments')
    .select(['project_id', 'name', 'environment', 'release', 'received_at', 'data'])
    .where('project_id', 'in', projectIds)
    .where('trace_id', '=', toIdBytes(traceId))
    .orderBy('id', 'desc')
    .limit(limits.traceSegmentsRead)
    .execute()
  return rows.flatMap((row) => {
    const { environment, release, data } = row
    const columns = { traceId, transaction: row.name, environment, release: release ?? undefined }
    try {
      const segment = readSegmentBody(data, columns)
      return { projectId: row.project_id, receivedAt: row.received_at, segment }
    } catch {
      return []
    }
  })
}

/** The errors of a trace, by their issues; at most `limits.traceEventsRead`. One statement. */
export async function listErrorsOfTrace(
  db: Kysely<Database>,
  { traceId, projectIds }: TraceQuery,
): Promise<TraceEvent[]> {
  const rows = await db
    .selectFrom('events as e')
    .innerJoin('issues as i', (join) =>
      join.onRef('i.project_id', '=', 'e.project_id').onRef('i.id', '=', 'e.issue_id'),
    )
    .select(['e.project_id', 'e.event_id', 'e.issue_id', 'e.occurred_at', 'e.level', 'i.title', 'i.subtitle'])
    .where('e.project_id', 'in', projectIds)
    .where('e.trace_id', '=', toIdBytes(traceId))
    .limit(limits.traceEventsRead)
    .execute()
  return rows.map((row) => ({
    projectId: row.project_id,
    eventId: Buffer.from(row.event_id).toString('hex'),
    issueId: row.issue_id,
    occurredAt: row.occurred_at,
    level: row.level,
    title: row.title,
    subtitle: row.subtitle,
  }))
}
