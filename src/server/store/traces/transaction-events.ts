import { sql } from 'kysely'
import { limits } from '#server/limits.ts'
import { toIdBytes } from '#server/store/binary-id.ts'
import { hexOf } from '#server/store/engine/per-engine.ts'
import { toProjectName } from '#server/store/projects/projects.ts'
import type { Db } from '#server/store/schema/database.ts'
import type { StoredSegment, FoundTrace } from './records.ts'
import { inflateBody, readSegmentBody } from './segment-body.ts'

/** An id to look up. */
export interface TraceIdQuery {
  /** 12 to 32 lower-case hex digits: a trace id, or the beginning of a transaction's event id. */
  id: string
  /** Projects that the viewer has access to. */
  projectIds: readonly number[]
}

/** The trace with this id, or else that of the transaction whose event id begins with it. One statement. */
export async function findTraceById(
  db: Db,
  { id, projectIds }: TraceIdQuery,
): Promise<FoundTrace | undefined> {
  const [lowest, highest] = [toIdBytes(id.padEnd(32, '0')), toIdBytes(id.padEnd(32, 'f'))]
  const segments = selectSegments(db, projectIds).limit(1)
  const byEvent = segments
    .select((of) => [hexOf(of.ref('t.trace_id')).as('traceId'), hexOf(of.ref('t.span_id')).as('spanId')])
    .select(sql<number>`0`.as('is_trace'))
    .where('t.event_id', '>=', lowest)
    .where('t.event_id', '<=', highest)
  const byTrace = segments
    .select((of) => [hexOf(of.ref('t.trace_id')).as('traceId'), sql<string>`''`.as('spanId')])
    .select(sql<number>`1`.as('is_trace'))
    .where('t.trace_id', '=', lowest)
  let found = db.selectFrom(byEvent.as('by_event')).selectAll()
  if (id.length === 32) found = found.unionAll(db.selectFrom(byTrace.as('by_trace')).selectAll())
  const row = await found.orderBy('is_trace', 'desc').limit(1).executeTakeFirst()
  if (row === undefined) return undefined
  const { traceId, spanId } = row
  return spanId === '' ? { traceId } : { traceId, spanId }
}

/** The transaction with this event id (32 hex digits); undefined if it is not stored. One statement. */
export async function findTransactionEvent(
  db: Db,
  { id, projectIds }: TraceIdQuery,
): Promise<StoredSegment | undefined> {
  const row = await selectSegments(db, projectIds)
    .select(['p.id', 'p.slug', 'p.name', 'p.platform', 't.name as transaction', 't.environment', 't.release'])
    .select((of) => hexOf(of.ref('t.trace_id')).as('traceId'))
    .select(['t.received_at', 't.data'])
    .where('t.event_id', '=', toIdBytes(id))
    .limit(1)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { traceId, transaction, environment, release, data, received_at: receivedAt } = row
  const columns = { traceId, eventId: id, transaction, environment, release: release ?? undefined }
  try {
    const segment = readSegmentBody(inflateBody(data, limits.traceBodyBytes), columns)
    return { project: toProjectName(row), receivedAt, segment }
  } catch {
    // Damaged.
    return undefined
  }
}

function selectSegments(db: Db, projectIds: readonly number[]) {
  return db
    .selectFrom('projects as p')
    .crossJoin('trace_segments as t')
    .where('p.id', 'in', projectIds)
    .whereRef('t.project_id', '=', 'p.id')
}
