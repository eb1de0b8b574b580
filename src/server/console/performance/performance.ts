import { reachableProjects, type Viewer } from '#server/auth/viewer.ts'
import { limits } from '#server/limits.ts'
import type { Services } from '#server/services.ts'
import {
  listNames,
  readFigures,
  sumBy,
  type FigureRange,
  type FigureRow,
  type NamedCounts,
} from '#server/store/figures/read-figures.ts'
import { listFilterChoices } from '#server/store/projects/projects.ts'
import type { ProjectName } from '#server/store/projects/records.ts'
import { dayMs, hourMs, hourOf } from '#time/time-steps.ts'
import { quantileOf } from '#traces/histogram.ts'
import { isWebVital, webVitals, type Device } from '#traces/web-vitals.ts'
import type { PerformanceSearch } from './performance.search.ts'
import { toDurationFigures, toRanges, type SteppedRange } from './periods.ts'
import { toReleaseFigures } from './release-figures.ts'
import type {
  ListedFigures,
  ListedRoute,
  PerformanceSort,
  PerformanceView,
  PerformanceViewName,
  ReleaseChange,
} from './views.ts'

type PerformanceServices = Pick<Services, 'store' | 'clock'>

/** What each view lists: names of a kind, and of groups of spans those of a category. */
const sources = {
  transactions: { kind: 'transaction', series: 'transaction', op: undefined },
  queries: { kind: 'span', series: 'group', op: 'db' },
  requests: { kind: 'span', series: 'group', op: 'http' },
  vitals: { kind: 'vital', series: 'vital', op: undefined },
} as const satisfies Record<PerformanceViewName, unknown>

/** Transactions, queries, requests or web vitals of a period. Three rounds of statements. */
export async function getPerformanceView(
  { store: { db }, clock }: PerformanceServices,
  viewer: Viewer,
  search: PerformanceSearch,
): Promise<PerformanceView> {
  const { view = 'transactions', period = '24h', project, environment, device, sort = 'time', q } = search
  const { projects, environments } = await listFilterChoices(db, reachableProjects(viewer))
  const now = clock()
  const base = { now, period, view, projects, environments, figures: [], routes: [] }
  const chosen = projects.filter(({ slug }) => project === undefined || slug === project)
  if (chosen.length === 0) return base
  const { current, before } = toRanges(period, now)
  const { kind, series, op } = sources[view]
  const rangeOf = ({ step, from, to }: SteppedRange) => ({
    projectIds: chosen.map(({ id }) => id),
    series,
    step,
    from,
    to,
    facet: view === 'transactions' ? environment : undefined,
  })
  const names = await listNames(db, {
    kind,
    range: rangeOf(current),
    op,
    text: q,
    limit: limits.figuresShown,
  })
  const nameIds = names.map(({ nameId }) => nameId)
  const [rows, rowsBefore, releaseRows] = await Promise.all([
    readFigures(db, { ...rangeOf(current), nameIds, by: view === 'vitals' ? 'facet' : 'name' }),
    view === 'vitals' ? [] : readFigures(db, { ...rangeOf(before), nameIds, by: 'name' }),
    view === 'transactions'
      ? readFigures(db, { ...releaseRangeOf(rangeOf(current), now), nameIds, by: 'facet' })
      : [],
  ])
  const named = names.flatMap((name) => {
    const ofProject = chosen.find(({ id }) => id === name.projectId)
    return ofProject === undefined ? [] : [{ name, project: ofProject }]
  })
  if (view === 'vitals')
    return { ...base, routes: toRoutes(named, device === undefined ? rows : rows.filter(isOfDevice(device))) }
  const lengths = { current: Math.min(now, current.to) - current.from, before: before.to - before.from }
  const figures = toListedFigures(named, { rows, rowsBefore, releaseRows, lengths })
  return { ...base, figures: sortFigures(figures, sort) }
}

/** Releases are counted by the hour: the newest hours of a week. */
function releaseRangeOf({ projectIds }: FigureRange, now: number): FigureRange & { limit: number } {
  const to = hourOf(now) + hourMs
  const limit = limits.releaseRowsCompared
  return { projectIds, series: 'release', step: 'hour', from: to - 7 * dayMs, to, limit }
}

const isOfDevice = (device: Device) => (row: FigureRow) => row.facet.endsWith(` ${device}`)

interface Named {
  name: NamedCounts
  project: ProjectName
}

const keyOf = ({ projectId, nameId }: Pick<FigureRow, 'projectId' | 'nameId'>) => `${projectId}:${nameId}`

function toListedFigures(
  named: readonly Named[],
  {
    rows,
    rowsBefore,
    releaseRows,
    lengths,
  }: {
    rows: readonly FigureRow[]
    rowsBefore: readonly FigureRow[]
    releaseRows: readonly FigureRow[]
    lengths: { current: number; before: number }
  },
): ListedFigures[] {
  const sums = sumBy(rows, keyOf)
  const sumsBefore = sumBy(rowsBefore, keyOf)
  const releases = Map.groupBy(releaseRows, keyOf)
  const time = named.reduce((sum, { name }) => sum + name.sum, 0)
  return named.flatMap(({ name, project }) => {
    const own = sums.get(keyOf(name))
    const ownBefore = sumsBefore.get(keyOf(name))
    const release = findReleaseChange(releases.get(keyOf(name)) ?? [], lengths.current)
    if (own === undefined) return []
    return {
      project,
      id: String(name.nameId),
      name: name.name,
      op: name.op,
      timeShare: time === 0 ? 0 : name.sum / time,
      ...toDurationFigures(own, lengths.current),
      ...(ownBefore && { before: toDurationFigures(ownBefore, lengths.before) }),
      ...(release && { release }),
    }
  })
}

/** The newest release, if there is one before it to compare it with. */
function findReleaseChange(rows: readonly FigureRow[], lengthMs: number): ReleaseChange | undefined {
  const [newest, before] = toReleaseFigures(rows, lengthMs)
  return newest && before && { version: newest.version, p95: newest.p95, before: before.p95 }
}

/** What is sorted by, the largest first; those that have nothing to compare are last. */
const sortValues: Readonly<Record<PerformanceSort, (figures: ListedFigures) => number>> = {
  time: ({ timeShare }) => timeShare,
  rate: ({ perMinute }) => perMinute,
  p95: ({ p95 }) => p95,
  failures: ({ failureShare }) => failureShare,
  change: ({ p95, before }) => (before === undefined || before.p95 === 0 ? -1 : p95 / before.p95),
  release: ({ release }) =>
    release === undefined || release.before === 0 ? -1 : release.p95 / release.before,
}

function sortFigures(figures: readonly ListedFigures[], sort: PerformanceSort): ListedFigures[] {
  const valueOf = sortValues[sort]
  return figures.toSorted((one, other) => valueOf(other) - valueOf(one))
}

/** Each route with its vitals, of all devices; those with most page loads first. */
function toRoutes(named: readonly Named[], rows: readonly FigureRow[]): ListedRoute[] {
  const sums = sumBy(rows, (row) => `${keyOf(row)} ${row.facet.split(' ', 1)[0] ?? ''}`)
  const routes = named.map(({ name, project }) => {
    const route: ListedRoute = { project, id: String(name.nameId), name: name.name, vitals: {} }
    for (const vital of webVitals) {
      const own = sums.get(`${keyOf(name)} ${vital}`)
      if (own === undefined || own.count === 0 || !isWebVital(vital)) continue
      route.vitals[vital] = {
        count: own.count,
        p75: (quantileOf(own.histogram, 0.75) ?? 0) / (vital === 'cls' ? 1_000_000 : 1000),
        goodShare: own.goodCount / own.count,
        poorShare: own.failureCount / own.count,
      }
    }
    return route
  })
  return routes.filter((route) => countOf(route) > 0).toSorted((one, other) => countOf(other) - countOf(one))
}

function countOf({ vitals }: ListedRoute): number {
  return Math.max(0, ...Object.values(vitals).map(({ count }) => count))
}
