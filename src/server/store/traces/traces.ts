import { sql } from 'kysely'
import { limits } from '#server/limits.ts'
import { toIdBytes } from '#server/store/binary-id.ts'
import type { StoredEvent } from '#server/store/events/events.ts'
import { prepareQuery } from '#server/store/prepared-query.ts'
import type { Db } from '#server/store/schema/database.ts'
import { leaveOutFiltered } from './filtered-segments.ts'
import { listSpansOfPayload } from './named-spans.ts'
import type { StoredSegment } from './records.ts'
import { hasSpan } from './segment-body.ts'
import {
  inflateBodies,
  readBodies,
  readBodySegments,
  selectBodies,
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
  /** Number of segments that were read. */
  readCount: number
  /** True if all of them were read. */
  isWhole: boolean
}

/**
 * The earliest segments of a trace, at most `limits.traceSegmentsRead` of them and `limits.traceBytesRead`:
 * spans start after their parents. One statement. Unreadable bodies are left out, and so are the spans of
 * root spans that a filter dropped.
 */
export async function listTraceSegments(db: Db, query: TraceQuery): Promise<TraceSegments> {
  const { bodies, readCount, storedCount } = await readBodies(db, query, {
    maxCount: limits.traceSegmentsRead,
    maxBytes: limits.traceBytesRead,
    order: [sql`started_at`, sql`id`],
  })
  const segments = leaveOutFiltered(readBodySegments(bodies, query.traceId))
  return { segments, storedCount, readCount, isWhole: storedCount <= readCount }
}

/** The fields of an event that select the part of a trace on its page. */
export type EventOfTrace = Pick<StoredEvent, 'traceId' | 'projectId' | 'occurredAt' | 'payload'>

interface NearBodiesQuery {
  traceId: Uint8Array
  projectIds: readonly number[]
  projectId: number
  occurredAt: number
}

const nearBodies = prepareQuery((db, { traceId, projectIds, ...event }: NearBodiesQuery) => {
  const choice = { ...nearestTo(event), maxCount: limits.smallTraceSegments }
  return selectBodies(db, { traceId, projectIds }, choice)
})

/** Segments that ran at the time of an event or closest to it, those of its project and short ones first. */
function nearestTo({ occurredAt, projectId }: { occurredAt: number; projectId: number }) {
  // The columns have whole milliseconds.
  const endedAt = sql`(started_at + duration_us / 1000 + 2)`
  const distance = sql`case when started_at > ${occurredAt} then started_at - ${occurredAt}
    when ${endedAt} < ${occurredAt} then ${occurredAt} - ${endedAt} else 0 end`
  const isOther = sql`case when project_id = ${projectId} then 0 else 1 end`
  return { order: [distance, isOther, sql`duration_us`, sql`id`], maxBytes: limits.traceBytesRead }
}

/**
 * The segments of an event's trace, as few as its page needs: first those that ran when it occurred, or
 * nearest to that time, those of its project and short ones, and the one with its span. No statement for an
 * event without a trace, one for a trace that is read as a whole.
 */
export async function listSegmentsOfEvent(
  db: Db,
  { traceId, projectId, occurredAt, payload }: EventOfTrace,
  projectIds: readonly number[],
): Promise<TraceSegments> {
  if (traceId === undefined) return { segments: [], storedCount: 0, readCount: 0, isWhole: true }
  const event = { projectId, occurredAt }
  const rows = await nearBodies(db, { traceId: toIdBytes(traceId), projectIds, ...event })
  const near = nearestTo(event)
  const { bodies, storedCount, readCount } = inflateBodies(rows, near.maxBytes)
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
  /** 16 lower-case hex digits each, if the sender's data is valid. */
  spanIds: readonly string[]
  /** The bodies that have been read. */
  bodies: readonly SegmentBodyRow[]
  /** The order in which further bodies are searched. */
  near: Pick<SegmentChoice, 'order' | 'maxBytes'>
}

/**
 * The segment with the event's own span, unless it has already been read. Only the ids of root spans are in
 * columns, so bodies are searched, nearest first, up to `limits.traceBytesRead`.
 */
async function findOwnBody(
  db: Db,
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
