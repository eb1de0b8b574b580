import type { EventType, Level } from '#protocol/event.ts'
import type { ProjectName } from '#server/store/projects/records.ts'
import type { ReopenCondition } from '#server/store/triage/reopen-condition.ts'

// Like all `records.ts`: the results of the store's reads. Plain data, safe to send to the browser; times are
// Unix milliseconds.

export const issueStatuses = ['unresolved', 'resolved', 'archived'] as const

export type IssueStatus = (typeof issueStatuses)[number]

export const issueSorts = ['last_seen', 'first_seen', 'events', 'users', 'trend'] as const

export type IssueSort = (typeof issueSorts)[number]

export interface IssueKey {
  projectId: number
  issueId: number
}

/** Maximum ages of an issue's last event. */
export const issueRanges = ['24h', '7d', '14d', '30d', '90d'] as const

export type IssueRange = (typeof issueRanges)[number]

/** The period of the bars of a row: 24 hours, or 14 days. */
export const barSpans = ['24h', '14d'] as const

export type BarSpan = (typeof barSpans)[number]

/** A user account. */
export interface Person {
  userId: string
  name: string
}

/** A user in an issue or its activity. */
export interface PersonReference {
  userId: string
  /** Absent once the account is deleted. */
  name?: string
}

export interface IssueSummary {
  id: string
  /** `CHECKOUT-1A`: the project's slug and the issue's number in base 36. */
  shortId: string
  project: ProjectName
  type: EventType
  /** The error, first line only: the exception's type, or the message. */
  title: string
  /** The exception's value, first line only; empty for a message. */
  subtitle: string
  culprit: string
  level: Level
  platform: string
  status: IssueStatus
  /** When a user or an event last changed the status; absent if it never changed. */
  statusChangedAt?: number
  /** True if an event arrived after the issue was resolved; cleared when a user sets its status. */
  isRegressed?: true
  /** The reopen condition, in addition to the rule of its status. */
  reopenCondition?: ReopenCondition
  /** The user whom the issue is assigned to. */
  assignee?: PersonReference
  firstSeenAt: number
  lastSeenAt: number
  eventCount: number
  /**
   * The events that are still stored: retention deletes old ones, and spike protection only counts most of a
   * flood.
   */
  keptEventCount: number
  /** Distinct users; exact up to `limits.usersPerIssueExact`, then an estimate. */
  userCount: number
  firstRelease?: string
  lastRelease?: string
}

/** Events per hour, oldest first; the last hour is the current one. Always `hours` long. */
export type HourCounts = number[]

export const trendPeriods = ['24h', '14d', '90d'] as const

/** The period of an issue's trend. */
export type TrendPeriod = (typeof trendPeriods)[number]

/** Events in steps of equal length, oldest first; the last step is the current one. */
export interface TrendSeries {
  /** The start of the first step. Six-hour steps and days begin in UTC. */
  since: number
  stepMs: number
  counts: number[]
}

/** The events over each period. */
export type IssueHistograms = Record<TrendPeriod, TrendSeries>

/** A release of the issue's project, and the time of its first event. */
export interface ReleaseMark {
  version: string
  at: number
}

/** An issue of the same project with the same title and culprit, or the same message and another culprit. */
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
  /** Number of distinct stored values. */
  valueCount: number
  /** The most frequent values, most frequent first. */
  values: TagValue[]
}

/** The indicators of an issue's severity in a row of the stream. */
export interface IssueLabels {
  /** One of its events was not caught by the application. Under load up to a second late. */
  isUnhandled?: true
  /** It was reopened from the archive because its event rate rose sharply. */
  isEscalating?: true
  /** The environment with most events in the span of the bars, counted over the newest hours. */
  environment?: string
  /** Number of environments in which the issue ever occurred, at most `limits.issueEnvironmentsCounted`. */
  environmentCount: number
  /** Its share of the project's users, of all time, in whole percent; see `userSharePercent`. */
  userSharePercent?: number
}

export interface IssueListRow extends IssueSummary, IssueLabels {
  /** Events in each step of `IssueListView.bars`, oldest first. */
  bars: number[]
  /** Sum of the bars. */
  spanEventCount: number
}

/** The version of a project's list of issues: both numbers only grow when issues are new or reopened. */
export interface IssueMark {
  /** The number of the newest issue. */
  lastNumber: number
  /** How often events or time have reopened issues. */
  reopenedCount: number
}

/** An issue count, or its lower bound. */
export interface StatusCount {
  count: number
  isMore: boolean
}

/** A stored search. */
export interface StoredSearch {
  id: string
  name: string
  /** JSON of the search parameters of the stream's URL. */
  searchJson: string
  /** The reader has created it. */
  isOwn: boolean
  /** Shared with all members of the organization. */
  isShared: boolean
  organizationId?: number
  /** It is the reader's default. */
  isDefault: boolean
}

/** A monitor whose name matches. */
export interface NamedMonitor {
  slug: string
  name: string
  projectSlug: string
  projectName: string
}
