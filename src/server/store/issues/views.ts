import type { EventType, Level } from '#protocol/event.ts'
import type { EventView } from '#server/store/events/views.ts'
import type { ProjectName } from '#server/store/projects/list-views.ts'
import type { IssueTerms } from '#server/store/triage/terms.ts'
import type { IssueTriageView } from '#server/store/triage/views.ts'

// Like all `…-views.ts`: what the screens show. Plain data, safe to send to the browser; times are Unix
// milliseconds.

export const issueStatuses = ['unresolved', 'resolved', 'archived'] as const

export type IssueStatus = (typeof issueStatuses)[number]

export const issueSorts = ['last_seen', 'first_seen', 'events', 'users', 'trend'] as const

export type IssueSort = (typeof issueSorts)[number]

/** Why an archived issue came back. */
export type ReturnReason = 'time' | 'events' | 'users' | 'escalation'

/** How long ago an issue must have happened last. */
export const issueRanges = ['24h', '7d', '14d', '30d', '90d'] as const

export type IssueRange = (typeof issueRanges)[number]

/** What the bars of a row span: 24 hours, or 14 days. */
export const barSpans = ['24h', '14d'] as const

export type BarSpan = (typeof barSpans)[number]

/** Somebody with an account. */
export interface Person {
  userId: string
  name: string
}

export interface IssueSummary {
  id: string
  /** `CHECKOUT-1A`: the project's slug and the issue's number in base 36. */
  shortId: string
  project: ProjectName
  type: EventType
  /** What went wrong, first line only: the exception's type, or the message. */
  title: string
  /** The exception's value, first line only; empty for a message. */
  subtitle: string
  culprit: string
  level: Level
  platform: string
  status: IssueStatus
  /** When a person, or an event, changed the status last; absent while nobody has. */
  statusChangedAt?: number
  /** It was resolved and has happened again since; until somebody sets its status. */
  isRegressed?: true
  /** What brings it back; absent where nothing special was said. */
  terms?: IssueTerms
  /** Who looks after it. */
  assignee?: Person
  firstSeenAt: number
  lastSeenAt: number
  eventCount: number
  /**
   * Those of them that can be looked at; retention deletes old ones, and of a flood most are only counted.
   */
  keptEventCount: number
  /** Distinct users; exact up to `limits.usersPerIssueExact`, then an estimate. */
  userCount: number
  firstRelease?: string
  lastRelease?: string
}

/** Events per hour, oldest first; the last one is the running hour. Always `hours` long. */
export type HourCounts = number[]

export const trendPeriods = ['24h', '14d', '90d'] as const

/** How far back the trend of an issue shows. */
export type TrendPeriod = (typeof trendPeriods)[number]

/** Events in steps of equal length, oldest first; the last one is the running one. */
export interface TrendSeries {
  /** When the first step began. Six-hour steps and days are UTC's. */
  since: number
  stepMs: number
  counts: number[]
}

/** Events over each period. */
export type IssueTrend = Record<TrendPeriod, TrendSeries>

/** A release of the issue's project, and since when there is it. */
export interface ReleaseMark {
  version: string
  at: number
}

/**
 * An issue of the same project that is called the same and happens in the same place, or says the same
 * elsewhere.
 */
export type SimilarIssue = Pick<
  IssueSummary,
  'id' | 'shortId' | 'title' | 'subtitle' | 'culprit' | 'status' | 'eventCount' | 'lastSeenAt'
>

export interface TagValue {
  value: string
  eventCount: number
  lastSeenAt: number
}

export interface TagDistribution {
  key: string
  eventCount: number
  /** Distinct values kept. */
  valueCount: number
  /** The most frequent ones, most frequent first. */
  values: TagValue[]
}

export interface IssueView extends EventView {
  /** The viewer may resolve, archive and reopen it. */
  mayTriage: boolean
  trend: IssueTrend
  /** Of the project, in the time that the trend shows; oldest first. */
  releases: ReleaseMark[]
  similar: SimilarIssue[]
  tags: TagDistribution[]
  triage: IssueTriageView
}

/** One event in the list of its issue's. */
export interface IssueEventRow {
  eventId: string
  occurredAt: number
  level: Level
  /** Its message, else its title: present in all rows of a page where one differs from the issue's. */
  message?: string
  /** Where it happened: present in all rows of a page with the same messages and different URLs. */
  url?: string
  /** Who it happened to, as people would say it. */
  user?: string
  environment: string
  release?: string
  browser?: string
  system?: string
}

/** The list of an issue's events. */
export interface IssueEventsView {
  now: number
  issue: IssueSummary
  events: IssueEventRow[]
  /** Absent on the last page. */
  nextCursor?: string
  /** Absent on the first page. */
  previousCursor?: string
  /** How far back it was looked for the tags, when that was not to the end. */
  searchedTo?: number
  /** The issue's tags, to choose from. */
  tags: TagDistribution[]
}

/** The tags of an issue: all keys with their most frequent values, or one key with all. */
export interface IssueTagsView {
  now: number
  issue: IssueSummary
  tags: TagDistribution[]
}
