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

/** The kind of names in each view, and the category of its groups of spans. */
const sources = {
  transactions: { kind: 'transaction', series: 'transaction', op: undefined },
  queries: { kind: 'span', series: 'group', op: 'db' },
  requests: { kind: 'span', series: 'group', op: 'http' },
  caches: { kind: 'span', series: 'group', op: 'cache' },
  queues: { kind: 'span', series: 'group', op: 'queue' },
  resources: { kind: 'span', series: 'group', op: 'resource' },
  vitals: { kind: 'vital', series: 'vital', op: undefined },
} as const satisfies Record<PerformanceViewName, unknown>

/** One list of `performanceViews` in a period. Three rounds of statements. */
export async function getPerformanceView(
  { store: { db }, clock }: PerformanceServices,
  viewer: Viewer,
  search: PerformanceSearch,
): Promise<PerformanceView> {
  const {
    view = 'transactions',
    period: chosenPeriod = '24h',
    project,
    environment,
    device,
    sort = 'time',
    q,
    page = 1,
  } = search
  const { projects, environments } = await listFilterChoices(db, reachableProjects(viewer))
  const now = clock()
  // Only transactions are counted per minute.
  const period = view === 'transactions' || chosenPeriod !== '1h' ? chosenPeriod : '24h'
  const base = { now, period, view, projects, environments, figures: [], routes: [], hasNext: false }
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
  const isVitals = view === 'vitals'
  // Sorted by name, a page does not need the figures of other pages.
  const isOrdered = isVitals || sort === 'time'
  const perPage = isVitals ? limits.vitalsPerPage : limits.figuresPerPage
  const first = (page - 1) * perPage
  const found = await listNames(db, {
    kind,
    range: rangeOf(current),
    op,
    text: q,
    by: isVitals ? 'count' : 'sum',
    ...(isOrdered ? { limit: perPage + 1, offset: first } : { limit: limits.figuresShown }),
  })
  const names = isOrdered ? found.slice(0, perPage) : found
  const nameIds = names.map(({ nameId }) => nameId)
  const [rows, rowsBefore, releaseRows] = await Promise.all([
    readFigures(db, { ...rangeOf(current), nameIds, by: isVitals ? 'facet' : 'name' }),
    isVitals ? [] : readFigures(db, { ...rangeOf(before), nameIds, by: 'name' }),
    view === 'transactions'
      ? readFigures(db, { ...releaseRangeOf(rangeOf(current), now), nameIds, by: 'facet' })
      : [],
  ])
  const named = names.flatMap((name) => {
    const ofProject = chosen.find(({ id }) => id === name.projectId)
    return ofProject === undefined ? [] : [{ name, project: ofProject }]
  })
  const hasNext = found.length > (isOrdered ? names.length : first + perPage)
  if (isVitals) {
    const ofDevice = device === undefined ? rows : rows.filter(isOfDevice(device))
    return { ...base, hasNext, routes: toRoutes(named, ofDevice) }
  }
  const lengthMs = Math.min(now, current.to) - current.from
  const figures = toListedFigures(named, { rows, rowsBefore, releaseRows, lengthMs })
  const sorted = sortFigures(figures, sort)
  return {
    ...base,
    hasNext,
    figures: isOrdered ? sorted : sorted.slice(first, first + perPage),
  }
}

/** Releases are counted per hour: the latest hours of a week. */
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
    lengthMs,
  }: {
    rows: readonly FigureRow[]
    rowsBefore: readonly FigureRow[]
    releaseRows: readonly FigureRow[]
    lengthMs: number
  },
): ListedFigures[] {
  const sums = sumBy(rows, keyOf)
  const sumsBefore = sumBy(rowsBefore, keyOf)
  const releases = Map.groupBy(releaseRows, keyOf)
  return named.flatMap(({ name, project }) => {
    const own = sums.get(keyOf(name))
    const ownBefore = sumsBefore.get(keyOf(name))
    const release = findReleaseChange(releases.get(keyOf(name)) ?? [], lengthMs)
    if (own === undefined) return []
    return {
      project,
      id: String(name.nameId),
      name: name.name,
      op: name.op,
      timeShare: name.allSum === 0 ? 0 : name.sum / name.allSum,
      ...toDurationFigures(own, lengthMs),
      ...(ownBefore && { p95Before: (quantileOf(ownBefore.histogram, 0.95) ?? 0) / 1000 }),
      ...(release && { release }),
    }
  })
}

/** The newest release, if an earlier one exists for comparison. */
function findReleaseChange(rows: readonly FigureRow[], lengthMs: number): ReleaseChange | undefined {
  const [newest, before] = toReleaseFigures(rows, lengthMs)
  return newest && before && { version: newest.version, p95: newest.p95, before: before.p95 }
}

/** The sort value, largest first; rows without a comparison are last. */
const sortValues: Readonly<Record<PerformanceSort, (figures: ListedFigures) => number>> = {
  time: ({ timeShare }) => timeShare,
  rate: ({ perMinute }) => perMinute,
  p95: ({ p95 }) => p95,
  failures: ({ failureShare }) => failureShare,
  change: ({ p95, p95Before = 0 }) => (p95Before === 0 ? -1 : p95 / p95Before),
  release: ({ release }) =>
    release === undefined || release.before === 0 ? -1 : release.p95 / release.before,
}

function sortFigures(figures: readonly ListedFigures[], sort: PerformanceSort): ListedFigures[] {
  const valueOf = sortValues[sort]
  return figures.toSorted((one, other) => valueOf(other) - valueOf(one))
}

/** Each route with its vitals on all devices, most page loads first. */
function toRoutes(named: readonly Named[], rows: readonly FigureRow[]): ListedRoute[] {
  const sums = sumBy(rows, (row) => `${keyOf(row)} ${row.facet.split(' ', 1)[0] ?? ''}`)
  const routes = named.map(({ name, project }) => {
    const route: ListedRoute = { project, id: String(name.nameId), name: name.name, vitals: {} }
    for (const vital of webVitals) {
      const own = sums.get(`${keyOf(name)} ${vital}`)
      if (own === undefined || own.count === 0 || !isWebVital(vital)) continue
      route.vitals[vital] = {
        count: own.count,
        p75: toShort((quantileOf(own.histogram, 0.75) ?? 0) / (vital === 'cls' ? 1_000_000 : 1000)),
        goodShare: toShort(own.goodCount / own.count),
        poorShare: toShort(own.failureCount / own.count),
      }
    }
    return route
  })
  return routes.filter((route) => countOf(route) > 0).toSorted((one, other) => countOf(other) - countOf(one))
}

/**
 * Rounded to more digits than are displayed, but not to all of a fraction, because the page contains each
 * number twice.
 */
function toShort(value: number): number {
  return Number(value.toPrecision(5))
}

function countOf({ vitals }: ListedRoute): number {
  return Math.max(0, ...Object.values(vitals).map(({ count }) => count))
}
