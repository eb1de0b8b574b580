import type { EventType, Level } from '#protocol/event.ts'
import type { ProjectName } from '#server/store/projects/records.ts'
import type { ReopenCondition } from '#server/store/triage/reopen-condition.ts'

// Like all `records.ts`: what the store's reads return. Plain data, safe to send to the browser; times are
// Unix milliseconds.

export const issueStatuses = ['unresolved', 'resolved', 'archived'] as const

export type IssueStatus = (typeof issueStatuses)[number]

export const issueSorts = ['last_seen', 'first_seen', 'events', 'users', 'trend'] as const

export type IssueSort = (typeof issueSorts)[number]

export interface IssueKey {
  projectId: number
  issueId: number
}

/** How long ago an issue must have happened last. */
export const issueRanges = ['24h', '7d', '14d', '30d', '90d'] as const

export type IssueRange = (typeof issueRanges)[number]

/** The period of the bars of a row: 24 hours, or 14 days. */
export const barSpans = ['24h', '14d'] as const

export type BarSpan = (typeof barSpans)[number]

/** A user with an account. */
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
  /** It was resolved and has happened again since; cleared when a user sets its status. */
  isRegressed?: true
  /** The reopen condition, in addition to the rule of its status. */
  reopenCondition?: ReopenCondition
  /** Who looks after it. */
  assignee?: PersonReference
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
export type IssueHistograms = Record<TrendPeriod, TrendSeries>

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

/** The severity signs of an issue in a row of the stream. */
export interface IssueSigns {
  /** One of its events was not caught by the application. Under load known a second later. */
  isUnhandled?: true
  /** It left the archive because it happened much more often than before. */
  isEscalating?: true
  /** The environment with most of its events in the bars' span, counted over its newest hours. */
  environment?: string
  /** Environments that it has ever happened in, at most `limits.issueEnvironmentsCounted`. */
  environmentCount: number
  /** Its users among those of the project, of all time, in whole percent; see `userSharePercent`. */
  userSharePercent?: number
}

export interface IssueListRow extends IssueSummary, IssueSigns {
  /** Events in each step of `IssueListView.bars`, oldest first. */
  bars: number[]
  /** Events in all of these steps. */
  spanEventCount: number
}

/** The progress mark of a project's issues; both numbers only grow. */
export interface IssueMark {
  /** Of the issue that appeared last. */
  lastNumber: number
  /** How often events or time have reopened an issue. */
  reopenedCount: number
}

/** How many issues there are, or how many at least. */
export interface StatusCount {
  count: number
  isMore: boolean
}

/** A saved search as it is stored. */
export interface StoredSearch {
  id: string
  name: string
  /** JSON of the stream's URL. */
  searchJson: string
  /** The reader created it. */
  isOwn: boolean
  /** Shared with all members of the organization. */
  isShared: boolean
  organizationId?: number
  /** The reader's default. */
  isDefault: boolean
}

/** A monitor that a text names. */
export interface NamedMonitor {
  slug: string
  name: string
  projectSlug: string
}
