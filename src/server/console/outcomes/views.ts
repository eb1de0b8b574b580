import type {
  DeadLetterSummary,
  FilterSampleSummary,
  OutcomeTotal,
  ShownOutcome,
} from '#server/store/outcomes/records.ts'
import type { ProjectName } from '#server/store/projects/records.ts'

export const outcomePeriods = ['24h', '7d', '30d'] as const

export type OutcomePeriod = (typeof outcomePeriods)[number]

/** A line about received items that created no issue, with the reason as on the outcomes screen. */
export interface ArrivalLine {
  text: string
  reason?: string
}

/** The counts of one outcome in each step of the period, oldest first; the last step is the current one. */
export interface OutcomeSeries {
  outcome: ShownOutcome
  counts: number[]
}

/** A sample of a filtered item, as it is displayed. */
export interface FilterSampleView extends FilterSampleSummary {
  /** The payload as indented JSON, truncated; absent if it was too large to be stored. */
  payloadText?: string
  /** True if `payloadText` is truncated. */
  isPayloadCut: boolean
}

export interface OutcomeView {
  /** The server time of the counts. */
  now: number
  projects: ProjectName[]
  period: OutcomePeriod
  /** The start of the oldest step. */
  since: number
  stepMs: number
  /** Series with at least one item, in the order of `shownOutcomes`; all of the same length. */
  series: OutcomeSeries[]
  /** Items of kinds that Culvert does not store, discarded by SDKs: in `totals`, not in `series`. */
  unchartedDiscardCount: number
  /** In the order of `shownOutcomes`, largest first. */
  totals: OutcomeTotal[]
  /** Samples of the event or trace in the search, newest first; absent if the search contains no id. */
  namedSamples?: FilterSampleView[]
  /** Samples of filtered items, the newest of each reason. */
  samples: FilterSampleView[]
  /** Samples of rejected requests, the newest of each reason. Their payload contains the sender's headers. */
  rejections: FilterSampleView[]
  /** Dead letters of the chosen projects, of any age. */
  deadLetterCount: number
}

/** The data of the dead letters screen. */
export interface DeadLetterListView {
  now: number
  /** The user may configure a project, and sees its dead letters. */
  canConfigure: boolean
  /** The number of all dead letters. */
  count: number
  /** The newest dead letters. */
  letters: DeadLetterSummary[]
}
