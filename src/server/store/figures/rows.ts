import { limits } from '#server/limits.ts'
import type { SqlRow } from '#server/store/engine/connection.ts'
import type { BatchCache } from '#server/store/ingest/batch-cache.ts'
import type { IngestStatements } from '#server/store/ingest/statements.ts'
import { dayOf, stepOf } from '#time/time-steps.ts'
import { decodeHistogram, encodeHistogram } from '#traces/histogram.ts'
import { otherName } from '#traces/transaction-name.ts'
import type { CountedFigure, CountedKey, ProjectFigures } from './delta.ts'
import { figureNameId, transactionFacet } from './name-id.ts'
import { figureStepMs, type FigureSeries, type FigureStep } from './records.ts'
import { writeSeenSources, type SeenSources } from './seen-sources.ts'
import { addCounts, addFigureSums, boundSums, createSums, type FigureSums } from './sums.ts'

/** The dependencies of writing figures. */
export interface FigureFolder {
  statements: IngestStatements
  cache: Pick<BatchCache, 'releaseLimit'>
  /** Unix milliseconds. */
  clock: () => number
}

/** The key of a row. */
interface RowKey {
  series: FigureSeries
  step: FigureStep
  at: number
  nameId: number
  facet: string
  /** The name under which it is counted if there are too many rows. */
  other: NameKey
}

type FigureRows = Map<string, { key: RowKey; sums: FigureSums }>

/**
 * Adds figures to the rows of a project. All reads are first, because on a server, writes in between would
 * need further round trips.
 */
export function writeFigures(folder: FigureFolder, projectId: number, figures: ProjectFigures): void {
  if (figures.size === 0) return
  const { statements, clock } = folder
  const today = dayOf(clock())
  const names = chooseNames(folder, { projectId, today, figures: [...figures.values()] })
  const { rows, added, others } = addExistingRows(folder, projectId, toRows(figures.values(), names))
  for (const [otherId, other] of others) names.seen.set(otherId, other)
  writeSeenSources(folder, projectId, toSeenSources(figures.values(), added))
  for (const [nameId, { kind, op, name, minute }] of names.seen)
    statements.upsertFigureName.run(projectId, nameId, kind, op, name, minute, today)
  for (const { key, sums } of rows.values()) {
    const { series, step, at, nameId, facet } = key
    const { count, weight, failureCount, goodCount, sum, histogram } = boundSums(sums)
    statements.upsertFigure.run(
      projectId,
      series,
      step,
      at,
      nameId,
      facet,
      count,
      weight,
      failureCount,
      goodCount,
      Math.round(sum),
      encodeHistogram(histogram),
    )
  }
}

type NameKey = Pick<CountedKey, 'kind' | 'op' | 'name' | 'minute'>

/** The ids of names, and the names that are new today. */
interface ChosenNames {
  ids: Map<CountedKey, number>
  seen: Map<number, NameKey>
}

/** The name for everything that is not counted separately. */
function toOther({ kind, op, minute }: NameKey): NameKey {
  return { kind, op: kind === 'span' ? op : '', name: otherName, minute }
}

/** Chooses the name of each figure: its own, or `<other>` if there are too many names today. */
function chooseNames(
  { statements }: FigureFolder,
  { projectId, today, figures }: { projectId: number; today: number; figures: readonly CountedFigure[] },
): ChosenNames {
  const keys = figures.map(({ key }) => ({ key, id: figureNameId(key) }))
  for (const { id } of keys) statements.findFigureName.expect?.(projectId, id)
  for (const kind of ['transaction', 'span', 'vital'] as const)
    statements.countFigureNames.expect?.(projectId, kind, today)
  const names: ChosenNames = { ids: new Map(), seen: new Map() }
  const counts = new Map<string, number>()
  for (const { key, id } of keys) {
    const { kind } = key
    const isSeen =
      names.seen.has(id) || Number(statements.findFigureName.get(projectId, id)?.['seen_day'] ?? -1) >= today
    const count =
      counts.get(kind) ?? Number(statements.countFigureNames.get(projectId, kind, today)?.['name_count'])
    if (isSeen || count < limits.figureNamesPerDay) {
      names.ids.set(key, id)
      if (isSeen) continue
      names.seen.set(id, key)
      counts.set(kind, count + 1)
    } else {
      const other = toOther(key)
      const otherId = figureNameId(other)
      names.ids.set(key, otherId)
      names.seen.set(otherId, other)
    }
  }
  return names
}

/** The rows of figures: transactions by minute, hour and day, everything else by hour and day. */
function toRows(figures: Iterable<CountedFigure>, { ids, seen }: ChosenNames): FigureRows {
  const rows: FigureRows = new Map()
  for (const { key, sums } of figures) {
    const { kind, minute, release } = key
    const nameId = ids.get(key) ?? 0
    const isOther = seen.get(nameId)?.name === otherName
    const add = (series: FigureSeries, step: FigureStep, facet: string) => {
      const at = stepOf(minute, figureStepMs[step])
      addToRow(rows, { series, step, at, nameId, facet, other: toOther(key) }, sums)
    }
    const transaction = isOther || key.facet === '' ? '' : transactionFacet(key.facet)
    for (const step of ['hour', 'day'] as const) {
      if (kind === 'span') add('group', step, '')
      add(kind, step, kind === 'span' ? transaction : key.facet)
    }
    if (kind === 'transaction') add(kind, 'minute', key.facet)
    if (kind === 'transaction' && release !== '') add('release', 'hour', release)
  }
  return rows
}

function addToRow(rows: FigureRows, key: RowKey, sums: FigureSums): void {
  const text = textOf(key)
  let row = rows.get(text)
  if (row === undefined) {
    row = { key, sums: createSums() }
    rows.set(text, row)
  }
  if (key.series === 'span') addCounts(row.sums, sums)
  else addFigureSums(row.sums, sums)
}

function textOf({ series, step, at, nameId, facet }: RowKey): string {
  return `${series}\0${step}\0${at}\0${nameId}\0${facet}`
}

/** The environments of new daily rows, and the releases of new hourly rows with their environments. */
function toSeenSources(figures: Iterable<CountedFigure>, added: readonly RowKey[]): SeenSources {
  const facetsOf = (series: FigureSeries, step: FigureStep) =>
    new Set(added.filter((row) => row.series === series && row.step === step).map(({ facet }) => facet))
  const newReleases = facetsOf('release', 'hour')
  const seen: SeenSources = { environments: facetsOf('transaction', 'day'), releases: new Map() }
  if (newReleases.size === 0) return seen
  for (const { key } of figures) {
    if (!newReleases.has(key.release)) continue
    const environments = seen.releases.get(key.release) ?? new Set()
    seen.releases.set(key.release, environments.add(key.facet))
  }
  return seen
}

/** Rows to write. */
interface MergedRows {
  rows: FigureRows
  /** New rows, without those that exceed the limit of a step. */
  added: RowKey[]
  /** The names of the rows that exceed the limit. */
  others: Map<number, NameKey>
}

/**
 * Adds the existing rows of the database. New rows above the limit of a step are counted as `<other>`,
 * without their environment.
 */
function addExistingRows({ statements }: FigureFolder, projectId: number, rows: FigureRows): MergedRows {
  const all: FigureRows = new Map()
  const newKeys: RowKey[] = []
  const find = ({ series, step, at, nameId, facet }: RowKey) =>
    [projectId, series, step, at, nameId, facet] as const
  for (const { key } of rows.values()) statements.findFigure.expect?.(...find(key))
  const added = new Map<string, number>()
  const others = new Map<number, NameKey>()
  for (const { key, sums } of rows.values()) {
    const existing = statements.findFigure.get(...find(key))
    if (existing !== undefined) {
      addToRow(all, key, readSums(existing))
      addToRow(all, key, sums)
      continue
    }
    const { series, step, at } = key
    const stepKey = `${series}\0${step}\0${at}`
    const count =
      added.get(stepKey) ?? Number(statements.countFigures.get(projectId, series, step, at)?.['row_count'])
    const limit = step === 'minute' ? limits.figureRowsPerMinute : limits.figureRowsPerHour
    added.set(stepKey, count + 1)
    if (count < limit) {
      newKeys.push(key)
      addToRow(all, key, sums)
      continue
    }
    const surplus = { ...key, nameId: figureNameId(key.other), facet: '' }
    others.set(surplus.nameId, key.other)
    if (!all.has(textOf(surplus)) && !rows.has(textOf(surplus))) {
      const counted = statements.findFigure.get(...find(surplus))
      if (counted !== undefined) addToRow(all, surplus, readSums(counted))
    }
    addToRow(all, surplus, sums)
  }
  return { rows: all, added: newKeys, others }
}

/** The sums of a row of `figures`. */
function readSums(row: SqlRow): FigureSums {
  const { histogram } = row
  return boundSums({
    count: Number(row['value_count']),
    weight: Number(row['weight']),
    failureCount: Number(row['failure_count']),
    goodCount: Number(row['good_count']),
    sum: Number(row['value_sum']),
    histogram: histogram instanceof Uint8Array ? decodeHistogram(histogram) : new Map(),
  })
}
