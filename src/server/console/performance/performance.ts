import { reachableProjects, type Viewer } from '#server/auth/viewer.ts'
import { limits } from '#server/limits.ts'
import type { Services } from '#server/services.ts'
import {
  listNames,
  readFigures,
  sumBy,
  type FigureRow,
  type NamedCounts,
} from '#server/store/figures/read-figures.ts'
import { listFilterChoices } from '#server/store/projects/projects.ts'
import type { ProjectName } from '#server/store/projects/records.ts'
import { quantileOf } from '#traces/histogram.ts'
import { isWebVital, webVitals } from '#traces/web-vitals.ts'
import type { PerformanceSearch } from './performance.search.ts'
import { toDurationFigures, toRanges, type SteppedRange } from './periods.ts'
import type { ListedFigures, ListedRoute, PerformanceView, PerformanceViewName } from './views.ts'

type PerformanceServices = Pick<Services, 'store' | 'clock'>

/** What each view lists: a series, and of groups of spans a category. */
const sources = {
  transactions: { series: 'transaction', op: undefined },
  queries: { series: 'span', op: 'db' },
  requests: { series: 'span', op: 'http' },
  vitals: { series: 'vital', op: undefined },
} as const satisfies Record<PerformanceViewName, unknown>

/** Transactions, queries, requests or web vitals of a period. Three rounds of statements. */
export async function getPerformanceView(
  { store: { db }, clock }: PerformanceServices,
  viewer: Viewer,
  search: PerformanceSearch,
): Promise<PerformanceView> {
  const { view = 'transactions', period = '24h', project, environment, q } = search
  const { projects, environments } = await listFilterChoices(db, reachableProjects(viewer))
  const now = clock()
  const base = { now, period, view, projects, environments, figures: [], routes: [] }
  const chosen = projects.filter(({ slug }) => project === undefined || slug === project)
  if (chosen.length === 0) return base
  const { current, before } = toRanges(period, now)
  const { series, op } = sources[view]
  const rangeOf = ({ step, from, to }: SteppedRange) => ({
    projectIds: chosen.map(({ id }) => id),
    series,
    step,
    from,
    to,
    facet: view === 'transactions' ? environment : undefined,
  })
  const names = await listNames(db, {
    kind: series,
    range: rangeOf(current),
    op,
    text: q,
    limit: limits.figuresShown,
  })
  const nameIds = names.map(({ nameId }) => nameId)
  const [rows, rowsBefore] = await Promise.all([
    readFigures(db, rangeOf(current), nameIds),
    view === 'vitals' ? [] : readFigures(db, rangeOf(before), nameIds),
  ])
  const named = names.flatMap((name) => {
    const ofProject = chosen.find(({ id }) => id === name.projectId)
    return ofProject === undefined ? [] : [{ name, project: ofProject }]
  })
  if (view === 'vitals') return { ...base, routes: toRoutes(named, rows) }
  const lengths = { current: Math.min(now, current.to) - current.from, before: before.to - before.from }
  return { ...base, figures: toListedFigures(named, { rows, rowsBefore, lengths }) }
}

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
    lengths,
  }: {
    rows: readonly FigureRow[]
    rowsBefore: readonly FigureRow[]
    lengths: { current: number; before: number }
  },
): ListedFigures[] {
  const sums = sumBy(rows, keyOf)
  const sumsBefore = sumBy(rowsBefore, keyOf)
  const time = named.reduce((sum, { name }) => sum + name.sum, 0)
  return named.flatMap(({ name, project }) => {
    const own = sums.get(keyOf(name))
    const ownBefore = sumsBefore.get(keyOf(name))
    if (own === undefined) return []
    return {
      project,
      id: String(name.nameId),
      name: name.name,
      op: name.op,
      timeShare: time === 0 ? 0 : name.sum / time,
      ...toDurationFigures(own, lengths.current),
      ...(ownBefore && { before: toDurationFigures(ownBefore, lengths.before) }),
    }
  })
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
  return routes.toSorted((one, other) => countOf(other) - countOf(one))
}

function countOf({ vitals }: ListedRoute): number {
  return Math.max(0, ...Object.values(vitals).map(({ count }) => count))
}
