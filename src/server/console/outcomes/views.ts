import type { ShownOutcome, OutcomeTotal, DeadLetterSummary } from '#server/store/outcomes/records.ts'
import type { ProjectName } from '#server/store/projects/records.ts'

export const outcomePeriods = ['24h', '7d', '30d'] as const

export type OutcomePeriod = (typeof outcomePeriods)[number]

/** A line about items that arrived and made no issue, with the reason as the outcomes name it. */
export interface ArrivalLine {
  text: string
  reason?: string
}

/** The counts of one outcome in each step of the period, oldest first; the last step is the current one. */
export interface OutcomeSeries {
  outcome: ShownOutcome
  counts: number[]
}

/** Something that a filter dropped, as the screen shows it. */
export interface FilterSampleView {
  /** Unique among all samples. */
  id: string
  reason: string
  category: string
  project: ProjectName
  receivedAt: number
  title: string
  environment?: string
  release?: string
  payloadBytes: number
  /** The payload as indented JSON, cut; absent when it was too large to be kept. */
  payloadText?: string
  /** `payloadText` is not all of it. */
  isPayloadCut: boolean
}

export interface OutcomeView {
  /** Server time the counts were read at. */
  now: number
  projects: ProjectName[]
  period: OutcomePeriod
  /** When the oldest step began. */
  since: number
  stepMs: number
  /** Those that counted anything, in the order of `shownOutcomes`; all of the same length. */
  series: OutcomeSeries[]
  /** Items that SDKs discarded, of kinds that Culvert does not store: in `totals`, not in `series`. */
  unchartedDiscardCount: number
  /** In the order of `shownOutcomes`, largest first. */
  totals: OutcomeTotal[]
  /** Those of the event or trace in the search, newest first; absent where it names none. */
  namedSamples?: FilterSampleView[]
  /** Samples of filtered items: the newest of each reason. */
  samples: FilterSampleView[]
  /** Rejected requests: the newest of each reason. Their payload is the sender's headers. */
  rejections: FilterSampleView[]
  /** Of the chosen projects, received at any time. */
  deadLetterCount: number
}

/** The screen of dead letters. */
export interface DeadLetterListView {
  now: number
  /** How many there are. */
  count: number
  /** The newest of them. */
  letters: DeadLetterSummary[]
}
