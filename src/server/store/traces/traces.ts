import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { limits } from '#server/limits.ts'
import { toIdBytes } from '#server/store/binary-id.ts'
import type { StoredEvent } from '#server/store/events/events.ts'
import type { Database } from '#server/store/schema/database.ts'
import { leaveOutFiltered } from './filtered-segments.ts'
import { listSpansOfPayload } from './named-spans.ts'
import type { StoredSegment } from './records.ts'
import { hasSpan } from './segment-body.ts'
import {
  readBodies,
  readBodySegments,
  type SegmentBodyRow,
  type SegmentChoice,
  type TraceQuery,
} from './segment-reader.ts'

/** Segments of a trace. */
export interface TraceSegments {
  /** Newest first. */
  segments: StoredSegment[]
  /** Segments of the trace that are stored, counted up to `limits.traceSegmentsCounted`. */
  storedCount: number
  /** Those that were read. */
  readCount: number
  /** False if some of them were not read. */
  isWhole: boolean
}

/**
 * The segments of a trace that started first, at most `limits.traceSegmentsRead` of them and
 * `limits.traceBytesRead`: spans start after their parents. One statement. A body that cannot be read is left
 * out, and so are the spans of root spans that a filter dropped.
 */
export async function listTraceSegments(db: Kysely<Database>, query: TraceQuery): Promise<TraceSegments> {
  const { bodies, readCount, storedCount } = await readBodies(db, query, {
    maxCount: limits.traceSegmentsRead,
    maxBytes: limits.traceBytesRead,
    order: [sql`started_at`, sql`id`],
  })
  const segments = leaveOutFiltered(readBodySegments(bodies, query.traceId))
  return { segments, storedCount, readCount, isWhole: storedCount <= readCount }
}

/** True if spans of a trace are stored. One statement. */
export async function hasSpansOfTrace(
  db: Kysely<Database>,
  { traceId, projectIds }: TraceQuery,
): Promise<boolean> {
  const found = await db
    .selectFrom('projects as p')
    .crossJoin('trace_segments as t')
    .select('t.id')
    .where('p.id', 'in', projectIds)
    .whereRef('t.project_id', '=', 'p.id')
    .where('t.trace_id', '=', toIdBytes(traceId))
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** What identifies the part of a trace that the page of an event shows. */
export type EventOfTrace = Pick<StoredEvent, 'traceId' | 'projectId' | 'occurredAt' | 'payload'>

/**
 * The segments of an event's trace, as few as its page needs: those that ran when it happened, or nearest to
 * it, before others those of its project and short ones; and the one that has its span. No statement for an
 * event without a trace, one for a trace that is read whole.
 */
export async function listSegmentsOfEvent(
  db: Kysely<Database>,
  { traceId, projectId, occurredAt, payload }: EventOfTrace,
  projectIds: readonly number[],
): Promise<TraceSegments> {
  if (traceId === undefined) return { segments: [], storedCount: 0, readCount: 0, isWhole: true }
  // The columns are whole milliseconds.
  const endedAt = sql`(started_at + duration_us / 1000 + 2)`
  const distance = sql`case when started_at > ${occurredAt} then started_at - ${occurredAt}
    when ${endedAt} < ${occurredAt} then ${occurredAt} - ${endedAt} else 0 end`
  const isOther = sql`case when project_id = ${projectId} then 0 else 1 end`
  const near = { order: [distance, isOther, sql`duration_us`, sql`id`], maxBytes: limits.traceBytesRead }
  const { bodies, storedCount, readCount } = await readBodies(
    db,
    { traceId, projectIds },
    { ...near, maxCount: limits.smallTraceSegments },
  )
  const isWhole = storedCount <= readCount
  const own = isWhole
    ? undefined
    : await findOwnBody(db, { traceId, projectId, spanIds: listSpansOfPayload(payload), bodies, near })
  const segments = readBodySegments(own === undefined ? bodies : [...bodies, own], traceId)
  return { segments: leaveOutFiltered(segments), storedCount, readCount, isWhole }
}

interface OwnBodyQuery {
  traceId: string
  projectId: number
  /** 16 lower-case hex digits each, if the sender is right. */
  spanIds: readonly string[]
  /** Those that have been read. */
  bodies: readonly SegmentBodyRow[]
  /** The order in which further ones are searched. */
  near: Pick<SegmentChoice, 'order' | 'maxBytes'>
}

/**
 * The segment of an event's own span, unless it has been read already: no column has the ids of spans that
 * are no root spans, so that bodies are searched, the nearest first, up to `limits.traceBytesRead`.
 */
async function findOwnBody(
  db: Kysely<Database>,
  { traceId, projectId, spanIds, bodies, near }: OwnBodyQuery,
): Promise<SegmentBodyRow | undefined> {
  const hasOwn = ({ body }: SegmentBodyRow) => spanIds.some((spanId) => hasSpan(body, spanId))
  if (spanIds.length === 0 || bodies.some(hasOwn)) return undefined
  const query = { traceId, projectIds: [projectId] }
  let leftBytes: number = near.maxBytes
  for (let offset = 0; leftBytes > 0; offset += limits.traceSegmentsRead) {
    const choice = { order: near.order, maxBytes: leftBytes, maxCount: limits.traceSegmentsRead, offset }
    const read = await readBodies(db, query, choice)
    const own = read.bodies.find(hasOwn)
    if (own !== undefined || read.readCount < limits.traceSegmentsRead) return own
    leftBytes -= read.readBytes
  }
  return undefined
}
