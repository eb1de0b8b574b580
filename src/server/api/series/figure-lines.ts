import { setImmediate as nextTick } from 'node:timers/promises'
import { errorAnswer, notFoundAnswer } from '#server/api/api-answer.ts'
import type { ApiCall } from '#server/api/api-route.ts'
import { findProjectScope } from '#server/api/project-scope.ts'
import type { ReadParameters } from '#server/api/read-cursor.ts'
import { limits } from '#server/limits.ts'
import {
  listNames,
  readFigures,
  readStepFigures,
  sumBy,
  type FigureRange,
  type NamedCounts,
} from '#server/store/figures/read-figures.ts'
import { addFigureSums, createSums, type FigureSums } from '#server/store/figures/sums.ts'
import type { ProjectName } from '#server/store/projects/records.ts'
import { dayMs, dayOf, hourMs } from '#time/time-steps.ts'
import { readApdexThresholds, type FindApdexMs } from './apdex-thresholds.ts'
import { figureNames, findFigure, findSubjectField, subjectFieldNames } from './figure-cells.ts'
import { isReadByHour, readFigureSubject, toFigureRange, unreadableSubject } from './figure-subject.ts'
import { readSteps, type SeriesSteps } from './read-steps.ts'
import type { LinesQuery, SeriesLine, SeriesLines } from './series-lines.ts'

/** The sums of a line by the start of the step. */
type StepSums = ReadonlyMap<number, FigureSums>

/**
 * Figures of transactions or groups of spans over time. A line combines the names with its values, from the
 * `limits.apiSeriesNames` names with the largest total time. Without fields to group by, it combines all
 * names.
 */
export async function readFigureLines(
  call: ApiCall,
  dataset: 'transactions' | 'spans',
  query: LinesQuery,
): Promise<ReadParameters<SeriesLines>> {
  const { axes, groupBy, top, hasOther } = query
  const error = findUnknown(query)
  if (error !== undefined) return { ok: false, error: errorAnswer(400, error) }
  const scope = await findProjectScope(call)
  if (scope === undefined) return { ok: false, error: notFoundAnswer }
  const subject = readFigureSubject(dataset, call.url.searchParams.get('query') ?? '')
  if (subject === undefined) return { ok: false, error: unreadableSubject }
  const read = readFigureSteps(call)
  if (!read.ok) return read
  const steps = read.value
  if (scope.projects.length === 0) return { ok: true, value: { lines: [], steps } }
  const { db } = call.services.store
  const { kind, op } = subject
  const range = toFigureRange(call, { kind, projectIds: scope.projectIds, ...steps })
  const filter = { kind, op, text: subject.text === '' ? undefined : subject.text }
  const fields = [...axes, query.sort.replace(/^-/, '')]
  const findApdexMs = await readApdexThresholds(db, { projectIds: scope.projectIds, fields })
  const toLine = (values: SeriesLine['values'], sums: StepSums, projectIds = scope.projectIds) => {
    const apdexMs = findApdexMs(projectIds)
    return { values, byAxis: new Map(axes.map((axis) => [axis, valuesOf(axis, sums, { steps, apdexMs })])) }
  }
  if (groupBy.length === 0) {
    const all = await readByDay(range, (day) => readStepFigures(db, { ...filter, range: day, except: [] }))
    return { ok: true, value: { lines: [toLine([], joinSteps(all))], steps } }
  }
  const names = await listNames(db, { ...filter, range: toRankRange(range), limit: limits.apiSeriesNames })
  const groups = groupNames(names, { groupBy, projects: scope.projects })
  const ordered = await orderGroups(groups, query, {
    db,
    range,
    findApdexMs,
    lengthMs: steps.until - steps.since,
  })
  const shown = ordered.slice(0, top)
  const except = shown.flatMap((group) => group.names)
  const shownIds = except.map(({ nameId }) => nameId)
  const rowsOfDays = await readByDay(range, (day) =>
    readFigures(db, { ...day, nameIds: shownIds, by: 'step' }),
  )
  const rows = rowsOfDays.flat()
  const isOtherShown = hasOther && ordered.length > top
  const others = isOtherShown
    ? await readByDay(range, (day) => readStepFigures(db, { ...filter, range: day, except }))
    : undefined
  const lines: SeriesLine[] = shown.map((group) => {
    const isOwn = new Set(group.names.map(keyOf))
    const own = rows.filter((row) => isOwn.has(keyOf(row)))
    const sums = sumBy(own, ({ at }) => at)
    return toLine(
      group.values,
      sums,
      group.names.map(({ projectId }) => projectId),
    )
  })
  if (others !== undefined) lines.push({ ...toLine([], joinSteps(others)), isOther: true })
  return { ok: true, value: { lines, steps } }
}

/**
 * Reads a range of hours a day at a time, so that other requests run in between: a day has 25,000 rows of
 * figures for 1,000 names, which take 30 ms.
 */
async function readByDay<Result>(
  range: FigureRange,
  read: (day: FigureRange) => Promise<Result>,
): Promise<Result[]> {
  const lengthMs = range.step === 'hour' ? dayMs : range.to - range.from
  const results: Result[] = []
  for (let { from } = range; from < range.to; from += lengthMs) {
    results.push(await read({ ...range, from, to: Math.min(from + lengthMs, range.to) }))
    await nextTick()
  }
  return results
}

/** Combines days, which have no steps in common. */
function joinSteps(days: readonly StepSums[]): StepSums {
  return new Map(days.flatMap((day) => [...day]))
}

/**
 * The range that determines the largest names: reading hours of more than a day takes too long, so complete
 * days are read.
 */
function toRankRange(range: FigureRange): FigureRange {
  const isLong = range.step === 'hour' && range.to - range.from > 25 * hourMs
  return isLong ? { ...range, step: 'day', from: dayOf(range.from) } : range
}

/** An unknown field or axis in a query. */
function findUnknown({ axes, groupBy, sort }: LinesQuery): string | undefined {
  const axis = axes.find((name) => findFigure(name) === undefined)
  if (axis !== undefined) return `yAxis is ${figureNames.join(', ')}, not "${axis}".`
  const field = groupBy.find((name) => findSubjectField(name) === undefined)
  if (field !== undefined) return `groupBy is ${subjectFieldNames.join(', ')}, not "${field}".`
  const sortName = sort.replace(/^-/, '')
  if (sortName === '' || groupBy.includes(sortName) || findFigure(sortName) !== undefined) return undefined
  return `sort is one of groupBy or ${figureNames.join(', ')}, not "${sortName}".`
}

/** Steps of hours, or of days if figures are read per day. */
function readFigureSteps(call: ApiCall): ReadParameters<SeriesSteps> {
  const hourly = readSteps(call)
  return hourly.ok && isReadByHour(hourly.value) ? hourly : readSteps(call, dayMs)
}

interface NameGroup {
  values: (string | number)[]
  names: NamedCounts[]
}

function groupNames(
  names: readonly NamedCounts[],
  { groupBy, projects }: { groupBy: readonly string[]; projects: readonly ProjectName[] },
): NameGroup[] {
  const readers = groupBy.flatMap((field) => findSubjectField(field) ?? [])
  const valued = names.flatMap((name) => {
    const project = projects.find(({ id }) => id === name.projectId)
    return project === undefined ? [] : [{ name, values: readers.map((read) => read({ name, project })) }]
  })
  return [...Map.groupBy(valued, ({ values }) => JSON.stringify(values)).values()].map((members) => ({
    values: members[0]?.values ?? [],
    names: members.map(({ name }) => name),
  }))
}

/** The inputs of the order of groups. */
interface OrderContext {
  db: ApiCall['services']['store']['db']
  range: FigureRange
  lengthMs: number
  findApdexMs: FindApdexMs
}

/** Largest first, or by `sort`. */
async function orderGroups(
  groups: readonly NameGroup[],
  { groupBy, sort }: LinesQuery,
  { db, range, lengthMs, findApdexMs }: OrderContext,
): Promise<NameGroup[]> {
  const direction = sort === '' || sort.startsWith('-') ? -1 : 1
  const sortName = sort.replace(/^-/, '') || 'count()'
  const column = groupBy.indexOf(sortName)
  if (column !== -1)
    return groups.toSorted(
      (one, other) =>
        String(one.values[column]).localeCompare(String(other.values[column]), 'en') * direction,
    )
  const figure = findFigure(sortName)
  const nameIds = groups.flatMap(({ names }) => names.map(({ nameId }) => nameId))
  const rows =
    sortName === 'count()' ? [] : await readFigures(db, { ...toRankRange(range), nameIds, by: 'name' })
  const sumsOfNames = sumBy(rows, keyOf)
  const valueOf = ({ names }: NameGroup) => {
    if (sortName === 'count()') return names.reduce((total, { count }) => total + count, 0)
    const sums = createSums()
    for (const name of names) {
      const own = sumsOfNames.get(keyOf(name))
      if (own !== undefined) addFigureSums(sums, own)
    }
    const apdexMs = findApdexMs(names.map(({ projectId }) => projectId))
    return figure?.read({ sums, lengthMs, apdexMs }) ?? 0
  }
  return groups
    .map((group) => ({ group, value: valueOf(group) }))
    .toSorted((one, other) => (one.value - other.value) * direction)
    .map(({ group }) => group)
}

/** The key of a name in a project. */
function keyOf({ projectId, nameId }: { projectId: number; nameId: number }): string {
  return `${projectId}:${nameId}`
}

/** A value for each step. Without data it is 0 for a count and null for a duration or a share. */
function valuesOf(
  axis: string,
  sums: StepSums,
  { steps: { since, stepMs, stepCount }, apdexMs }: { steps: SeriesSteps; apdexMs: number },
): (number | null)[] {
  const figure = findFigure(axis)
  const bySteps = Array.from({ length: stepCount }, createSums)
  for (const [at, own] of sums) {
    const step = bySteps[Math.floor((at - since) / stepMs)]
    if (step !== undefined) addFigureSums(step, own)
  }
  const isCounted = figure?.type === 'integer' || figure?.type === 'rate'
  return bySteps.map((step) =>
    figure === undefined || (step.count === 0 && !isCounted)
      ? null
      : figure.read({ sums: step, lengthMs: stepMs, apdexMs }),
  )
}
