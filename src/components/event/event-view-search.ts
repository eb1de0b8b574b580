import type { Level } from '#protocol/event.ts'
import type { TrendPeriod } from '#server/store/issues/records.ts'

/** How an event is shown, as it stands in the URL. An absent key means its default. */
export interface EventViewSearch {
  /** Stack traces: every frame in full, or as text. Without it the frames of libraries are folded. */
  frames?: 'all' | 'raw' | undefined
  /** Chained exceptions: without it what was thrown comes first. */
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
  /** How far back the trend goes; without it 24 hours. */
  trend?: TrendPeriod | undefined
}
