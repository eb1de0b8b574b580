import type { Level } from '#protocol/event.ts'
import type { TrendPeriod } from '#server/store/issues/records.ts'

/** The URL parameters of an event's view. An absent key means its default. */
export interface EventViewSearch {
  /** Stack traces: every frame in full, or as text. Without it the frames of libraries are folded. */
  frames?: 'all' | 'raw' | undefined
  /** Order of chained exceptions; by default the thrown one is first. */
  order?: 'root-first' | undefined
  /** Only breadcrumbs of this kind. */
  crumbs?: string | undefined
  /** Only breadcrumbs of this level, and worse ones. */
  crumbLevel?: Level | undefined
  /** Not only the last breadcrumbs. */
  allCrumbs?: 'yes' | undefined
}

/** How an issue is shown. */
export interface IssueViewSearch extends EventViewSearch {
  /** The period of the trend; by default 24 hours. */
  trend?: TrendPeriod | undefined
}
