import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'
import { limits } from '#server/limits.ts'
import { containsPieces, isOneOf, joinedBytes, leastOf, toReal } from '#server/store/engine/per-engine.ts'
import type { Database, Db } from '#server/store/schema/database.ts'
import type { Figure } from '#traces/figures.ts'
import { addEncodedHistogram, createDenseHistogram, toLogHistogram } from '#traces/histogram.ts'
import { figureStepMs, type FigureSeries, type FigureStep } from './records.ts'
import { addCounts, createSums, type FigureSums } from './sums.ts'

/** A range of a series: the steps that begin at or after `from` and before `to`. */
export interface FigureRange {
  projectIds: readonly number[]
  series: FigureSeries
  step: FigureStep
  from: number
  to: number
  /** Only this environment, release, transaction, or vital and device, or some of them. */
  facet?: string | readonly string[] | undefined
}

/** A name with its counts in a range. */
export interface NamedCounts {
  projectId: number
  nameId: number
  /** Empty, like the name, for the rest that is not counted separately. */
  op: string
  name: string
  count: number
  sum: number
  /** The sum of all matching names, including those that are not listed. */
  allSum: number
}

interface NameQuery {
  kind: Figure['kind']
  range: FigureRange
  /** Only groups of spans of this category. */
  op?: string | undefined
  /** Only names that contain this text. */
  text?: string | undefined
  /** Sorts by the largest sum, the default, or the largest count. */
  by?: 'sum' | 'count'
  limit: number
  offset?: number
}

/** The names with the largest total duration or count. One statement. */
export async function listNames(
  db: Db,
  { kind, range, op, text, by = 'sum', limit, offset = 0 }: NameQuery,
): Promise<NamedCounts[]> {
  const { projectIds, series, step, from, to, facet } = range
  const chosen = toChosenIds(db, { kind, projectIds, op, text })
  // Sums rows before looking up names: there are many more rows than names.
  const sums = db
    .selectFrom('figures as f')
    .select((of) => [
      'f.project_id as projectId',
      'f.name_id as nameId',
      of.fn.sum<number>('f.value_count').as('count'),
      of.fn.sum<number>(toReal(of.ref('f.value_sum'))).as('sum'),
    ])
    .where('f.project_id', 'in', projectIds)
    .where('f.series', '=', series)
    .where('f.step', '=', step)
    .where('f.at', '>=', from)
    .where('f.at', '<', to)
    .$if(facet !== undefined, (query) => query.where('f.facet', 'in', [facet ?? ''].flat()))
    .$if(op !== undefined || text !== undefined, (query) => query.where('f.name_id', 'in', chosen))
    .groupBy(['f.project_id', 'f.name_id'])
  return db
    .selectFrom(sums.as('s'))
    .innerJoin('figure_names as n', (join) =>
      join.onRef('n.project_id', '=', 's.projectId').onRef('n.id', '=', 's.nameId'),
    )
    .selectAll('s')
    .select((of) => ['n.op as op', 'n.name as name', of.fn.sum<number>('s.sum').over().as('allSum')])
    .where('n.kind', '=', kind)
    .orderBy(by === 'sum' ? 's.sum' : 's.count', 'desc')
    .orderBy('s.nameId')
    .limit(limit)
    .offset(offset)
    .execute()
}

/** As `boundSums`: rows of earlier versions can have weights whose sum overflows. */
function highestWeight(count: Expression<number>) {
  return sql<number>`${toReal(count)} * ${sql.lit(1 / limits.lowestSampleRate)}`
}

/** Selects names: all of a kind, or some. */
type NameFilter = Pick<NameQuery, 'kind' | 'op' | 'text'>

function toChosenIds(db: Db, { kind, projectIds, op, text }: NameFilter & Pick<FigureRange, 'projectIds'>) {
  const isChosen = (of: ExpressionBuilder<Database & { n: Database['figure_names'] }, 'n'>) => {
    const conditions: Expression<SqlBool>[] = [of('n.kind', '=', kind)]
    if (op !== undefined) conditions.push(of('n.op', '=', op))
    if (text !== undefined) conditions.push(containsPieces(of.ref('n.name'), [text]))
    return of.and(conditions)
  }
  return db
    .selectFrom('figure_names as n')
    .select('n.id')
    .where('n.project_id', 'in', projectIds)
    .where(isChosen)
}

/** Figures of a name in a range. */
export interface FigureRow {
  projectId: number
  nameId: number
  /** The start of the first step. */
  at: number
  /** The facet of one of the rows, unless rows are summed up by facet. */
  facet: string
  /** The histogram is encoded. */
  sums: Omit<FigureSums, 'histogram'> & { histogram: Uint8Array }
}

/** The columns to read, and the columns to group by in addition to the name. */
interface FiguresQuery extends FigureRange {
  by: 'facet' | 'step' | 'name'
  nameIds: readonly number[]
  /** Reads only this many rows, the newest. */
  limit?: number | undefined
}

/**
 * The figures of some names in a range, in order of time. The database adds them up, because a page needs
 * thousands of rows. One statement.
 */
export async function readFigures(db: Db, query: FiguresQuery): Promise<FigureRow[]> {
  if (query.nameIds.length === 0) return []
  const rows = await sumRows(db, toFigureRows(db, query))
    .select((of) => [
      'f.project_id as projectId',
      'f.name_id as nameId',
      of.fn.min('f.at').as('at'),
      of.fn.min('f.facet').as('facet'),
    ])
    .groupBy(['f.project_id', 'f.name_id', ...groupColumns[query.by]])
    .execute()
  return rows
    .map(({ projectId, nameId, at, facet, ...sums }) => ({ projectId, nameId, at, facet, sums }))
    .toSorted((one, other) => one.at - other.at)
}

const groupColumns = { name: [], facet: ['f.facet'], step: ['f.at'] } as const satisfies Record<
  FiguresQuery['by'],
  string[]
>

interface StepQuery extends NameFilter {
  range: FigureRange
  /** Names to leave out. A name has the same id in every project. */
  except: readonly { projectId: number; nameId: number }[]
}

/** The figures of all names of a filter, at each step with data. One statement. */
export async function readStepFigures(
  db: Db,
  { range, except, ...filter }: StepQuery,
): Promise<Map<number, FigureSums>> {
  const { projectIds, from, to } = range
  const isFiltered = filter.op !== undefined || filter.text !== undefined
  const chosen = selectRows(db, range)
    .where('at', '>=', from)
    .where('at', '<', to)
    .$if(isFiltered, (rows) => rows.where('name_id', 'in', toChosenIds(db, { projectIds, ...filter })))
    .$if(except.length > 0, (rows) =>
      rows.where((of) =>
        of.and(
          [...Map.groupBy(except, ({ projectId }) => projectId)].map(([projectId, names]) => {
            const nameIds = JSON.stringify(names.map(({ nameId }) => nameId))
            return of.or([of('project_id', '<>', projectId), of.not(isOneOf(of.ref('name_id'), nameIds))])
          }),
        ),
      ),
    )
  const rows = await sumRows(db, chosen).select('f.at').groupBy('f.at').execute()
  return sumBy(
    rows.map(({ at, ...sums }) => ({ at, sums })),
    ({ at }) => at,
  )
}

type FigureRows = ReturnType<typeof selectRows>

/** The rows of a series, at any time. */
function selectRows(db: Db, { projectIds, series, step, facet }: Omit<FigureRange, 'from' | 'to'>) {
  return db
    .selectFrom('figures')
    .select(['project_id', 'name_id', 'at', 'facet', 'value_count', 'weight', 'failure_count', 'good_count'])
    .select(['value_sum', 'histogram'])
    .where('project_id', 'in', projectIds)
    .where('series', '=', series)
    .where('step', '=', step)
    .$if(facet !== undefined, (query) => query.where('facet', 'in', [facet ?? ''].flat()))
}

function sumRows(db: Db, rows: FigureRows) {
  return db
    .selectFrom(rows.as('f'))
    .select((of) => [
      of.fn.sum<number>('f.value_count').as('count'),
      of.fn.sum<number>(leastOf(of.ref('f.weight'), highestWeight(of.ref('f.value_count')))).as('weight'),
      of.fn.sum<number>('f.failure_count').as('failureCount'),
      of.fn.sum<number>('f.good_count').as('goodCount'),
      of.fn.sum<number>(toReal(of.ref('f.value_sum'))).as('sum'),
      joinedBytes(of.ref('f.histogram')).as('histogram'),
    ])
}

/** Searches the primary key for each name and step, unless a scan of all rows is faster. */
function toFigureRows(db: Db, query: FiguresQuery): FigureRows {
  const { step, from, to, limit, nameIds } = query
  const steps = stepsBetween(from, to, figureStepMs[step])
  const isScan = steps.length * nameIds.length > (limit ?? limits.figureSeeks)
  return selectRows(db, query)
    .where((of) => (isScan ? of.between('at', from, to - 1) : isOneOf(of.ref('at'), JSON.stringify(steps))))
    .where((of) => isOneOf(of.ref('name_id'), JSON.stringify(nameIds)))
    .$if(limit !== undefined, (rows) => rows.orderBy('at', 'desc').limit(limit ?? 0))
}

function stepsBetween(from: number, to: number, stepMs: number): number[] {
  const first = Math.ceil(from / stepMs) * stepMs
  return Array.from({ length: Math.max(0, Math.ceil((to - first) / stepMs)) }, (_, at) => first + at * stepMs)
}

/** The sums of rows grouped by a key. */
export function sumBy<Row extends Pick<FigureRow, 'sums'>, Key>(
  rows: readonly Row[],
  keyOf: (row: Row) => Key,
): Map<Key, FigureSums> {
  const sums = new Map<Key, FigureSums>()
  // One histogram for all keys: a page has hundreds of keys.
  const histogram = createDenseHistogram()
  for (const [key, ofKey] of Map.groupBy(rows, keyOf)) {
    const counts = createSums()
    histogram.fill(0)
    for (const row of ofKey) {
      addCounts(counts, row.sums)
      addEncodedHistogram(histogram, row.sums.histogram)
    }
    sums.set(key, { ...counts, histogram: toLogHistogram(histogram) })
  }
  return sums
}

/** A name in figures. */
export interface FigureName {
  op: string
  name: string
  firstSeenAt: number
  /** True if transactions with other ops have the same name. */
  isShared: boolean
}

/** A name by its id; undefined if the project has none. One statement. */
export async function findFigureName(
  db: Db,
  { projectId, nameId, kind }: { projectId: number; nameId: number; kind: Figure['kind'] },
): Promise<FigureName | undefined> {
  const row = await db
    .selectFrom('figure_names as n')
    .select(['n.op', 'n.name', 'n.first_seen_at'])
    .select((of) =>
      of
        .selectFrom('figure_names as other')
        .select((each) => each.fn.countAll<number>().as('count'))
        .where('other.project_id', '=', projectId)
        .where('other.kind', '=', kind)
        .whereRef('other.name', '=', 'n.name')
        .as('name_count'),
    )
    .where('n.project_id', '=', projectId)
    .where('n.id', '=', nameId)
    .where('n.kind', '=', kind)
    .executeTakeFirst()
  return (
    row && {
      op: row.op,
      name: row.name,
      firstSeenAt: row.first_seen_at,
      isShared: Number(row.name_count) > 1,
    }
  )
}
