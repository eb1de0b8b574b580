import type { Selection } from 'kysely'
import { limits } from '#server/limits.ts'
import { toIdBytes } from '#server/store/binary-id.ts'
import type { EventQuery } from '#server/store/events/events.ts'
import { toProjectName } from '#server/store/projects/projects.ts'
import type { Database, Db } from '#server/store/schema/database.ts'
import { dayOf } from '#time/time-steps.ts'
import type { FilterSampleSummary } from './records.ts'

/** A stored sample. */
export interface StoredFilterSample extends FilterSampleSummary {
  /** JSON; absent if it was too large. */
  payload?: Uint8Array
}

export interface FilterSampleQuery {
  projectIds: readonly number[]
  /** Received at or after this instant. */
  since: number
  /** Maximum number of samples per reason. */
  perReason: number
}

/**
 * The newest samples of each filter reason, newest first. One statement, which reads only the payloads of
 * these.
 */
export async function listFilterSamples(db: Db, query: FilterSampleQuery): Promise<StoredFilterSample[]> {
  const rows = await db
    .with('newest', () => selectNewest(db, query))
    .selectFrom('newest')
    .innerJoin('filter_samples as s', (join) =>
      join
        .onRef('s.project_id', '=', 'newest.project_id')
        .onRef('s.reason', '=', 'newest.reason')
        .onRef('s.day', '=', 'newest.day')
        .onRef('s.received_at', '=', 'newest.received_at')
        .onRef('s.id', '=', 'newest.id'),
    )
    .innerJoin('projects as p', 'p.id', 's.project_id')
    .select(sampleColumns)
    .where('newest.place', '<=', query.perReason)
    .orderBy('s.received_at', 'desc')
    .orderBy('s.id', 'desc')
    .execute()
  return rows.map(toStoredFilterSample)
}

/**
 * The samples of the event whose id equals or begins with these 12 or more lower-case hex digits, and of the
 * trace with this id; newest first, at most `limits.digestMatches`. One statement.
 */
export async function findFilterSamples(
  db: Db,
  { id, projectIds }: EventQuery,
): Promise<StoredFilterSample[]> {
  const [lowest, highest] = [toIdBytes(id.padEnd(32, '0')), toIdBytes(id.padEnd(32, 'f'))]
  const samples = () =>
    db
      .selectFrom('projects as p')
      .crossJoin('filter_samples as s')
      .select(sampleColumns)
      .where('p.id', 'in', projectIds)
      .whereRef('s.project_id', '=', 'p.id')
  const byId = samples().where('s.event_id', '>=', lowest).where('s.event_id', '<=', highest)
  const byTrace = samples()
    .where('s.trace_id', '=', lowest)
    .where((of) => of.or([of('s.event_id', 'is', null), of('s.event_id', '!=', lowest)]))
  // A separate query for each index: for one `or`, SQLite would read all samples of the project.
  const rows = await db
    .selectFrom(byId.as('with_id'))
    .selectAll()
    .unionAll(db.selectFrom(byTrace.as('of_trace')).selectAll())
    .orderBy('received_at', 'desc')
    .limit(limits.digestMatches)
    .execute()
  return rows.map(toStoredFilterSample)
}

const sampleColumns = [
  's.id',
  's.reason',
  's.category',
  's.received_at',
  's.title',
  's.environment',
  's.release',
  's.payload_bytes',
  's.payload',
  'p.id as project_id',
  'p.slug',
  'p.name',
  'p.platform',
] as const

type FilterSampleRow = Selection<
  { s: Database['filter_samples']; p: Database['projects'] },
  's' | 'p',
  (typeof sampleColumns)[number]
>

function toStoredFilterSample(row: FilterSampleRow): StoredFilterSample {
  return {
    id: row.id,
    project: toProjectName({ id: row.project_id, slug: row.slug, name: row.name, platform: row.platform }),
    reason: row.reason,
    category: row.category,
    receivedAt: row.received_at,
    title: row.title,
    ...(row.environment !== '' && { environment: row.environment }),
    release: row.release ?? undefined,
    payloadBytes: row.payload_bytes,
    payload: row.payload ?? undefined,
  }
}

/** The keys of the samples, ranked within their reason; read from the primary key alone. */
function selectNewest(db: Db, { projectIds, since }: FilterSampleQuery) {
  return db
    .selectFrom('filter_samples as s')
    .select(['s.project_id', 's.reason', 's.day', 's.received_at', 's.id'])
    .select((of) =>
      of.fn
        .agg<number>('row_number')
        .over((over) => over.partitionBy('s.reason').orderBy('s.received_at', 'desc').orderBy('s.id', 'desc'))
        .as('place'),
    )
    .where('s.project_id', 'in', projectIds)
    .where('s.day', '>=', dayOf(since))
    .where('s.received_at', '>=', since)
}
