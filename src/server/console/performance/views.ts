import type { ProjectName } from '#server/store/projects/records.ts'
import type { WebVital } from '#traces/web-vitals.ts'

/** The lists of `/performance`. */
export const performanceViews = [
  'transactions',
  'queries',
  'requests',
  'caches',
  'queues',
  'resources',
  'vitals',
] as const

export type PerformanceViewName = (typeof performanceViews)[number]

/** The sort order: total time, or the largest value. Changes are of the p95. */
export const performanceSorts = ['time', 'rate', 'p95', 'failures', 'change', 'release'] as const

export type PerformanceSort = (typeof performanceSorts)[number]

export const performancePeriods = ['1h', '24h', '7d', '30d'] as const

/** Periods of spans, which are counted per hour. */
export const spanPeriods = ['24h', '7d', '30d'] as const

export type SpanPeriod = (typeof spanPeriods)[number]

export type PerformancePeriod = (typeof performancePeriods)[number]

/** Durations of a name in a period, in milliseconds. */
export interface DurationFigures {
  count: number
  /** Includes transactions and spans that were sampled out. */
  perMinute: number
  p50: number
  p75: number
  p95: number
  failureShare: number
}

/** A transaction, or a group of spans. */
export interface ListedFigures extends DurationFigures {
  project: ProjectName
  /** The id in URLs. */
  id: string
  name: string
  op: string
  /** Share of the total time of all matches, on all pages. */
  timeShare: number
  /** In the preceding period; absent without data. */
  p95Before?: number
  /** For transactions: the newest release compared with the one before. */
  release?: ReleaseChange
}

/** The 95th percentiles of a transaction in two releases. Milliseconds. */
export interface ReleaseChange {
  version: string
  p95: number
  before: number
}

/** A vital of a route. */
export interface VitalFigures {
  count: number
  /** Milliseconds; `cls` has no unit. */
  p75: number
  goodShare: number
  poorShare: number
}

/** A route with its web vitals. */
export interface ListedRoute {
  project: ProjectName
  id: string
  name: string
  vitals: Partial<Record<WebVital, VitalFigures>>
}

/** `/performance` */
export interface PerformanceView {
  now: number
  period: PerformancePeriod
  view: PerformanceViewName
  projects: ProjectName[]
  environments: string[]
  /** Sorted by total time. Empty for the view `vitals`. */
  figures: ListedFigures[]
  /** Sorted by the number of values. Only for the view `vitals`. */
  routes: ListedRoute[]
  hasNext: boolean
}

/** A step of time in which a transaction ran. */
export interface DurationStep extends DurationFigures {
  at: number
}

/** A bar of the histogram of durations. Milliseconds. */
export interface DurationBar {
  from: number
  to: number
  count: number
}

/** A transaction's time by category and group. */
export interface TimeShare {
  category: string
  /** For a group: its id in URLs. */
  id?: string
  name: string
  /** Per transaction. */
  count: number
  /** Milliseconds per transaction. */
  time: number
}

/** A transaction with its spans of one group. */
export interface SpanTransaction {
  /** Absent if it is not counted separately. */
  id?: string
  name: string
  op: string
  count: number
  /** Total milliseconds of its spans in the group. */
  time: number
  /** Share of the time of the group. */
  timeShare: number
}

/** The page of a transaction or of a group of spans. */
interface FiguresView {
  now: number
  project: ProjectName
  id: string
  name: string
  firstSeenAt: number
  /** Absent if there was none in the period. */
  figures?: DurationFigures
  before?: DurationFigures
  /** Milliseconds. */
  p99?: number
  bars: DurationBar[]
}

/** The page of a group of spans: a query, a request, or operations of a cache, a queue or a page load. */
export interface SpanGroupView extends FiguresView {
  period: SpanPeriod
  category: string
  /** The transactions with the largest time in the group. */
  transactions: SpanTransaction[]
  /** The number of further transactions. */
  moreTransactions: number
}

/** A stored trace of a transaction. */
export interface StoredSample {
  traceId: string
  startedAt: number
  duration: number
  isError: boolean
}

/** The page of a transaction. */
export interface TransactionView extends FiguresView {
  period: PerformancePeriod
  op: string
  environments: string[]
  /** Satisfied within `apdexMs`. */
  apdex?: number
  /** Of the project's settings. */
  apdexMs: number
  /** Those in which it ran. */
  steps: DurationStep[]
  /** When the period's first step begins. */
  since: number
  stepCount: number
  stepMs: number
  categories: TimeShare[]
  groups: TimeShare[]
  /** The newest first; of all environments. */
  releases: ({ version: string; firstSeenAt: number } & DurationFigures)[]
  slow: StoredSample[]
  typical: StoredSample[]
}
