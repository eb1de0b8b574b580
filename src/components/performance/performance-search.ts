import type { PerformanceSearch } from '#server/console/performance/performance.search.ts'
import type {
  PerformancePeriod,
  PerformanceSort,
  PerformanceViewName,
  SpanPeriod,
} from '#server/console/performance/views.ts'
import type { Device } from '#traces/web-vitals.ts'

export const listedPeriods: readonly PerformancePeriod[] = ['1h', '24h', '7d', '30d']

/** Spans are not counted per minute. */
export const listedSpanPeriods: readonly SpanPeriod[] = ['24h', '7d', '30d']

export const listedSorts: readonly PerformanceSort[] = [
  'time',
  'rate',
  'p95',
  'failures',
  'change',
  'release',
]

export const listedViews: readonly PerformanceViewName[] = [
  'transactions',
  'queries',
  'requests',
  'caches',
  'queues',
  'resources',
  'vitals',
]

/** The periods of a list: only transactions are counted per minute. */
export function periodsOf(view: PerformanceViewName): readonly PerformancePeriod[] {
  return view === 'transactions' ? listedPeriods : listedSpanPeriods
}

/** The sort orders of a list: only transactions are compared with the last release. */
export function sortsOf(view: PerformanceViewName): readonly PerformanceSort[] {
  if (view === 'vitals') return []
  return view === 'transactions' ? listedSorts : listedSorts.filter((sort) => sort !== 'release')
}

/** The labels of the periods. */
export const performancePeriodNames: Record<PerformancePeriod, string> = {
  '1h': '1 hour',
  '24h': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
}

/** The period of a comparison. */
export const comparisonNames: Record<PerformancePeriod, string> = {
  '1h': 'a week before',
  '24h': 'a week before',
  '7d': 'the week before',
  '30d': 'the 30 days before',
}

/** The sort order of durations. */
export const performanceSortNames: Record<PerformanceSort, string> = {
  time: 'Time spent',
  rate: 'Per minute',
  p95: 'p95',
  failures: 'Failed',
  change: 'Change of p95',
  release: 'Change in the last release',
}

/** The labels of the devices. */
export const deviceNames: Record<Device, string> = {
  desktop: 'Desktop',
  mobile: 'Mobile',
  unknown: 'Unknown devices',
}

/** The labels of the lists. */
export const performanceViewNames: Record<PerformanceViewName, string> = {
  transactions: 'Transactions',
  queries: 'Queries',
  requests: 'Requests',
  caches: 'Caches',
  queues: 'Queues',
  resources: 'Resources',
  vitals: 'Web vitals',
}

/**
 * Applies a change to the search, removes defaults and empty values from the URL, and returns to the first
 * page unless the change is the page.
 */
export function changePerformanceSearch(
  search: PerformanceSearch,
  change: PerformanceSearch,
): PerformanceSearch {
  const { view, project, environment, period, device, sort, q } = { ...search, ...change }
  const { page = 1 } = change
  const hasPeriod = periodsOf(view ?? 'transactions').some((each) => each === period)
  const hasSort = sortsOf(view ?? 'transactions').some((each) => each === sort)
  return {
    ...(view !== undefined && view !== 'transactions' && { view }),
    ...(project !== undefined && project !== '' && { project }),
    ...(environment !== undefined && environment !== '' && { environment }),
    ...(hasPeriod && period !== '24h' && { period }),
    ...(device !== undefined && view === 'vitals' && { device }),
    ...(hasSort && sort !== 'time' && { sort }),
    ...(q !== undefined && q !== '' && { q }),
    ...(page > 1 && { page }),
  }
}
