import type { Level } from '#protocol/event.ts'
import type { TrendPeriod } from '#server/store/issues/records.ts'

/** The URL parameters of an event's view. An absent key means its default. */
export interface EventViewSearch {
  /** Stack traces: all frames, or as text. By default library frames are collapsed. */
  frames?: 'all' | 'raw' | undefined
  /** Order of chained exceptions; by default the thrown exception is first. */
  order?: 'root-first' | undefined
  /** Only breadcrumbs of this kind. */
  crumbs?: string | undefined
  /** Only breadcrumbs of this level or a more severe one. */
  crumbLevel?: Level | undefined
  /** Shows all breadcrumbs instead of the last ones. */
  allCrumbs?: 'yes' | undefined
}

/** The URL parameters of an issue's page. */
export interface IssueViewSearch extends EventViewSearch {
  /** The period of the trend; by default 24 hours. */
  trend?: TrendPeriod | undefined
}
