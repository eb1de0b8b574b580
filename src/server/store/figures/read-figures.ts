import type { Expression, Kysely, SqlBool } from 'kysely'
import { isLike } from '#server/store/engine/per-engine.ts'
import type { Database } from '#server/store/schema/database.ts'
import type { Figure } from '#traces/figures.ts'
import {
  addEncodedHistogram,
  createDenseHistogram,
  toLogHistogram,
  type DenseHistogram,
} from '#traces/histogram.ts'
import { addCounts, createSums, type FigureSums } from './figure-sums.ts'
import type { FigureSeries, FigureStep } from './records.ts'

/** Which rows of a series are read: those of steps that begin in `from` … `to`, without `to`. */
export interface FigureRange {
  projectIds: readonly number[]
  series: FigureSeries
  step: FigureStep
  from: number
  to: number
  /** Only of this environment, release, transaction, or vital and device. */
  facet?: string | undefined
}

/** A name with its counts in a range. */
export interface NamedCounts {
  projectId: number
  nameId: number
  /** Empty, as the name, for what was not counted apart. */
  op: string
  name: string
  count: number
  weight: number
  failureCount: number
  goodCount: number
  sum: number
}

interface NameQuery {
  kind: Figure['kind']
  range: FigureRange
  /** Only groups of spans of this category. */
  op?: string | undefined
  /** A part of the name. */
  text?: string | undefined
  limit: number
}

/** The names in which most time was spent, without their histograms. One statement. */
export async function listNames(
  db: Kysely<Database>,
  { kind, range, op, text, limit }: NameQuery,
): Promise<NamedCounts[]> {
  const { projectIds, series, step, from, to, facet } = range
  // Summed up before the names are looked up: there are many more rows than names.
  const sums = db
    .selectFrom('figures as f')
    .select((of) => [
      'f.project_id as projectId',
      'f.name_id as nameId',
      of.fn.sum<number>('f.value_count').as('count'),
      of.fn.sum<number>('f.weight').as('weight'),
      of.fn.sum<number>('f.failure_count').as('failureCount'),
      of.fn.sum<number>('f.good_count').as('goodCount'),
      of.fn.sum<number>('f.value_sum').as('sum'),
    ])
    .where('f.project_id', 'in', projectIds)
    .where('f.series', '=', series)
    .where('f.step', '=', step)
    .where('f.at', '>=', from)
    .where('f.at', '<', to)
    .$if(facet !== undefined, (query) => query.where('f.facet', '=', facet ?? ''))
    .groupBy(['f.project_id', 'f.name_id'])
  return db
    .selectFrom(sums.as('s'))
    .innerJoin('figure_names as n', (join) =>
      join.onRef('n.project_id', '=', 's.projectId').onRef('n.id', '=', 's.nameId'),
    )
    .selectAll('s')
    .select(['n.op as op', 'n.name as name'])
    .where((of) => {
      const conditions: Expression<SqlBool>[] = [of('n.kind', '=', kind)]
      if (op !== undefined) conditions.push(of('n.op', '=', op))
      if (text !== undefined) conditions.push(isLike(of.ref('n.name'), `%${escapeLike(text)}%`))
      return of.and(conditions)
    })
    .orderBy('s.sum', 'desc')
    .orderBy('s.nameId')
    .limit(limit)
    .execute()
}

function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`)
}

/** A row of figures. */
export interface FigureRow {
  projectId: number
  nameId: number
  at: number
  facet: string
  /** What it counted, with the histogram as it is stored. */
  sums: Omit<FigureSums, 'histogram'> & { histogram: Uint8Array }
}

/** The rows of some names in a range, in the order of time; the newest `limit` of them. One statement. */
export async function readFigures(
  db: Kysely<Database>,
  { projectIds, series, step, from, to, facet, limit }: FigureRange & { limit?: number },
  nameIds: readonly number[],
): Promise<FigureRow[]> {
  if (nameIds.length === 0) return []
  let query = db
    .selectFrom('figures')
    .select(['project_id', 'name_id', 'at', 'facet', 'value_count', 'weight', 'failure_count', 'good_count'])
    .select(['value_sum', 'histogram'])
    .where('project_id', 'in', projectIds)
    .where('series', '=', series)
    .where('step', '=', step)
    .where('at', '>=', from)
    .where('at', '<', to)
    .where('name_id', 'in', nameIds)
  if (facet !== undefined) query = query.where('facet', '=', facet)
  if (limit !== undefined) query = query.limit(limit)
  const read = await query.orderBy('at', limit === undefined ? 'asc' : 'desc').execute()
  const rows = limit === undefined ? read : read.toReversed()
  return rows.map((row) => ({
    projectId: row.project_id,
    nameId: row.name_id,
    at: row.at,
    facet: row.facet,
    sums: {
      count: row.value_count,
      weight: row.weight,
      failureCount: row.failure_count,
      goodCount: row.good_count,
      sum: row.value_sum,
      histogram: row.histogram,
    },
  }))
}

/** The sums of rows by a key of theirs. */
export function sumBy<Key>(rows: readonly FigureRow[], keyOf: (row: FigureRow) => Key): Map<Key, FigureSums> {
  const sums = new Map<Key, { counts: FigureSums; histogram: DenseHistogram }>()
  for (const row of rows) {
    const key = keyOf(row)
    let known = sums.get(key)
    if (known === undefined) {
      known = { counts: createSums(), histogram: createDenseHistogram() }
      sums.set(key, known)
    }
    addCounts(known.counts, row.sums)
    addEncodedHistogram(known.histogram, row.sums.histogram)
  }
  return new Map(
    [...sums].map(([key, { counts, histogram }]) => [
      key,
      { ...counts, histogram: toLogHistogram(histogram) },
    ]),
  )
}

/** A name by its id; undefined if the project has none. One statement. */
export async function findFigureName(
  db: Kysely<Database>,
  { projectId, nameId }: { projectId: number; nameId: number },
): Promise<{ op: string; name: string; firstSeenAt: number } | undefined> {
  const row = await db
    .selectFrom('figure_names')
    .select(['op', 'name', 'first_seen_at'])
    .where('project_id', '=', projectId)
    .where('id', '=', nameId)
    .where('kind', '=', 'transaction')
    .executeTakeFirst()
  return row && { op: row.op, name: row.name, firstSeenAt: row.first_seen_at }
}
