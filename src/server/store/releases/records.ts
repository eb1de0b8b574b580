import type { SessionState } from '#protocol/session.ts'
import type { ProjectName } from '#server/store/projects/records.ts'

export const releaseSorts = ['date', 'version'] as const
export type ReleaseSort = (typeof releaseSorts)[number]

/** A release of one project. */
export interface ReleaseSummary {
  version: string
  project: ProjectName
  /** The release date, if a tool set it; else when it was first seen. */
  datedAt: number
  isFinalized: boolean
  /** A tool put it aside. */
  isArchived?: true
  /** Absent until an event names it. */
  firstEventAt?: number
  lastEventAt?: number
  eventCount: number
  /** Issues whose first event is of this release. */
  newIssueCount: number
  /** Resolved issues that an event of this release reopened last. */
  regressedIssueCount: number
  /** In alphabetical order. */
  environments: string[]
  /** The latest one. */
  lastDeploy?: Deploy
}

/** A release that a tool said is now running somewhere. */
export interface Deploy {
  id: number
  environment: string
  name?: string
  url?: string
  startedAt?: number
  finishedAt: number
}

/** A commit that is in a release. */
export interface ReleaseCommit {
  id: string
  repository?: string
  message?: string
  authorName?: string
  authorEmail?: string
  committedAt?: number
  /** Paths that it changed, where the tool named them. */
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
  /** Distinct users, where the SDK names them; one counts once in each environment. */
  userCount: number
  crashedUserCount: number
}

/** A release that precedes another one. */
export interface PreviousRelease extends ReleaseSummary {
  /** Absent where it had no sessions. */
  crashes?: CrashCounts
}

/** The sessions of a release: all since its first one, unless noted otherwise. */
export interface ReleaseHealthRecord extends CrashCounts {
  /** With an error, but no crash. */
  erroredCount: number
  /** Sessions that began in each of the last 24 hours, the oldest first. */
  hours24: number[]
  /** Of all releases of the project in these hours: what its share is of. */
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

/** The sessions that began in one step of a period. Users are counted by the day: 0 in shorter steps. */
export interface HealthStep extends HealthTotal {
  /** Of all releases of the project. */
  projectSessionCount: number
}

/** The sessions of a release over a period. */
export interface HealthHistory {
  period: HealthPeriod
  /** The one that is shown; all of them when absent. */
  environment?: string
  /** In which it had sessions, in alphabetical order. */
  environments: string[]
  /** Since its first session. */
  total: HealthTotal
  sessionCount24h: number
  projectSessionCount24h: number
  /** When the first step began. */
  since: number
  stepMs: number
  steps: HealthStep[]
}
