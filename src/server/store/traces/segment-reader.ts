import { sql, type InferResult, type RawBuilder } from 'kysely'
import { limits } from '#server/limits.ts'
import { fromIdBytes, toIdBytes } from '#server/store/binary-id.ts'
import { toProjectName } from '#server/store/projects/projects.ts'
import type { Db } from '#server/store/schema/database.ts'
import type { StoredSegment } from './records.ts'
import { inflateBody, readSegmentBody } from './segment-body.ts'

/** Selects a trace. */
export interface TraceQuery {
  /** 32 lower-case hex digits. */
  traceId: string
  /** Projects that the viewer has access to. */
  projectIds: readonly number[]
}

/** Selects segments of a trace, and limits how much is read. */
export interface SegmentChoice {
  maxCount: number
  /** Maximum bytes of all bodies as JSON. */
  maxBytes: number
  /** The sort order, by columns of the segments. */
  order: readonly RawBuilder<unknown>[]
  /** Number of segments to skip. */
  offset?: number
}

/** The segments of a trace that were read. */
export interface ReadBodies {
  /** In the requested order, without damaged ones. */
  bodies: SegmentBodyRow[]
  /** Number of read segments, including damaged ones. */
  readCount: number
  readBytes: number
  /** Segments of the trace that are stored, counted up to `limits.traceSegmentsCounted`. */
  storedCount: number
}

/** A segment with a decompressed body. */
export type SegmentBodyRow = Omit<SelectedBody, 'data'> & { body: Buffer }

/** A row of `selectBodies`. */
type SelectedBody = InferResult<ReturnType<typeof selectBodies>>[number]

/**
 * Decompresses bodies of a trace up to a number of bytes: senders choose their size, up to 3 MB, and a page
 * reads up to 200. Compressed bodies are smaller, so the database does not send more than that either. One
 * statement.
 */
export async function readBodies(db: Db, query: TraceQuery, choice: SegmentChoice): Promise<ReadBodies> {
  const ids = { traceId: toIdBytes(query.traceId), projectIds: query.projectIds }
  return inflateBodies(await selectBodies(db, ids, choice).execute(), choice.maxBytes)
}

/** Decompresses bodies that `selectBodies` returned, up to a number of bytes. */
export function inflateBodies(rows: readonly SelectedBody[], maxBytes: number): ReadBodies {
  const read: ReadBodies = {
    bodies: [],
    readCount: 0,
    readBytes: 0,
    storedCount: rows[0]?.stored_count ?? 0,
  }
  for (const { data, ...row } of rows) {
    const leftBytes = maxBytes - read.readBytes
    if (leftBytes <= 0) break
    try {
      const body = inflateBody(data, leftBytes)
      read.readBytes += body.byteLength
      read.bodies.push({ ...row, body })
    } catch (error) {
      if (isTooLarge(error) && leftBytes < limits.traceBodyBytes) break
    }
    read.readCount += 1
  }
  return read
}

function isTooLarge(error: unknown): boolean {
  return error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
}

/** Selects before reading bodies, which are last in a row, so that only the selected ones are read. */
export function selectBodies(
  db: Db,
  { traceId, projectIds }: Omit<TraceQuery, 'traceId'> & { traceId: Uint8Array },
  { maxCount, maxBytes, order, offset = 0 }: SegmentChoice,
) {
  const found = db
    .selectFrom('projects as p')
    .crossJoin('trace_segments as t')
    .select(['t.project_id', 't.id', 't.span_id', 't.started_at', 't.duration_us'])
    .select((of) => of.fn<number>('length', ['t.data']).as('body_bytes'))
    .where('p.id', 'in', projectIds)
    .whereRef('t.project_id', '=', 'p.id')
    .where('t.trace_id', '=', traceId)
    .limit(limits.traceSegmentsCounted)
  const ordered = db
    .selectFrom(found.as('found'))
    .select((of) => [
      'project_id',
      'id',
      'body_bytes',
      of.fn.countAll<number>().over().as('stored_count'),
      sql<number>`row_number() over (order by ${sql.join(order)})`.as('place'),
    ])
  const chosen = db
    .selectFrom(ordered.as('ordered'))
    .select(['project_id', 'id', 'place', 'stored_count'])
    .select((of) =>
      of.fn
        .sum<number>('body_bytes')
        .over((over) => over.orderBy('place'))
        .as('sum_bytes'),
    )
    .select('body_bytes')
    .where('place', '>', offset)
    .where('place', '<=', offset + maxCount)
  return db
    .selectFrom(chosen.as('chosen'))
    .innerJoin('trace_segments as t', (join) =>
      join.onRef('t.project_id', '=', 'chosen.project_id').onRef('t.id', '=', 'chosen.id'),
    )
    .innerJoin('projects as p', 'p.id', 't.project_id')
    .select(['p.id', 'p.slug', 'p.name', 'p.platform', 'chosen.stored_count'])
    .select([
      't.id as segment_id',
      't.name as transaction',
      't.environment',
      't.release',
      't.received_at',
      't.event_id',
      't.data',
    ])
    .where('t.project_id', 'in', projectIds)
    .where((of) => of(sql<number>`sum_bytes - body_bytes`, '<', maxBytes))
    .orderBy('chosen.place')
}

/** Parses segments, newest first. Damaged ones are left out. */
export function readBodySegments(rows: readonly SegmentBodyRow[], traceId: string): StoredSegment[] {
  const newestFirst = rows.toSorted((one, other) => other.segment_id - one.segment_id)
  return newestFirst.flatMap((row) => {
    const { transaction, environment, release, body, event_id: eventId } = row
    const columns = {
      traceId,
      eventId: eventId === null ? undefined : fromIdBytes(eventId),
      transaction,
      environment,
      release: release ?? undefined,
    }
    try {
      const segment = readSegmentBody(body, columns)
      return { project: toProjectName(row), receivedAt: row.received_at, segment }
    } catch {
      return []
    }
  })
}
