import type { SessionState } from '#protocol/session.ts'
import type { ProjectName } from '#server/store/projects/records.ts'

export const releaseSorts = ['date', 'version'] as const
export type ReleaseSort = (typeof releaseSorts)[number]

/** A release of one project. */
export interface ReleaseSummary {
  version: string
  project: ProjectName
  /** The release date if a tool has set it, otherwise when the release was first seen. */
  datedAt: number
  isFinalized: boolean
  /** A tool has archived it. */
  isArchived?: true
  /** Absent until an event names the release. */
  firstEventAt?: number
  lastEventAt?: number
  eventCount: number
  /** Issues whose first event is of this release. */
  newIssueCount: number
  /** Resolved issues that an event of this release has reopened, unless another release has since. */
  regressedIssueCount: number
  /** In alphabetical order. */
  environments: string[]
  /** The latest deploy. */
  lastDeploy?: Deploy
}

/** A deploy of a release, reported by a tool. */
export interface Deploy {
  id: number
  environment: string
  name?: string
  url?: string
  startedAt?: number
  finishedAt: number
}

/** A commit of a release. */
export interface ReleaseCommit {
  id: string
  repository?: string
  message?: string
  authorName?: string
  authorEmail?: string
  committedAt?: number
  /** Changed paths, if the tool has reported them. */
  files?: string[]
}

/** A commit of a release, as reported by a tool. */
export interface CommitSummary {
  id: string
  /** The first line of its message. */
  subject: string
  authorName?: string
  committedAt?: number
}

/** Sessions and users of a release since its first session. */
export interface CrashCounts {
  sessionCount: number
  crashedCount: number
  /** Distinct users, if the SDK sends them; a user counts once per environment. */
  userCount: number
  crashedUserCount: number
}

/** A release that precedes another one. */
export interface PreviousRelease extends ReleaseSummary {
  /** Absent if it had no sessions. */
  crashes?: CrashCounts
}

/** The sessions of a release: all since its first one, unless noted otherwise. */
export interface ReleaseHealthRecord extends CrashCounts {
  /** Errored without a crash. */
  erroredCount: number
  /** Sessions that began in each of the last 24 hours, oldest first. */
  hours24: number[]
  /** Sessions of all releases of the project in these hours, from which the release's share is computed. */
  projectSessionCount24h: number
}

export const healthPeriods = ['24h', '14d', '90d'] as const
export type HealthPeriod = (typeof healthPeriods)[number]

/** Sessions by their state, and their users. */
export interface HealthTotal {
  counts: Record<SessionState, number>
  userCount: number
  crashedUserCount: number
}

/** The sessions that began in one step of a period. Users are counted per day: 0 in shorter steps. */
export interface HealthStep extends HealthTotal {
  /** Sessions of all releases of the project. */
  projectSessionCount: number
}

/** The sessions of a release over a period. */
export interface HealthHistory {
  period: HealthPeriod
  /** The shown environment; absent for all. */
  environment?: string
  /** Environments with sessions, in alphabetical order. */
  environments: string[]
  /** Since its first session. */
  total: HealthTotal
  sessionCount24h: number
  projectSessionCount24h: number
  /** The start of the first step. */
  since: number
  stepMs: number
  steps: HealthStep[]
}
