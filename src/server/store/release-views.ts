import type { IssueSummary, ProjectName } from './views.ts'

export const releaseSorts = ['date', 'version'] as const
export type ReleaseSort = (typeof releaseSorts)[number]

/** A release of one project. */
export interface ReleaseSummary {
  version: string
  project: ProjectName
  /** When it was released, where a tool said so; else when it was first heard of. */
  datedAt: number
  isFinalized: boolean
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
  lastDeploy?: DeployView
}

/** A release that a tool said is now running somewhere. */
export interface DeployView {
  id: number
  environment: string
  name?: string
  url?: string
  startedAt?: number
  finishedAt: number
}

export interface ReleaseListView {
  now: number
  releases: ReleaseSummary[]
  /** Absent on the last page. */
  nextCursor?: string
  /** Absent on the first page. */
  previousCursor?: string
  projects: ProjectName[]
  environments: string[]
}

/** One release of a project, with what it broke. */
export interface ReleaseView {
  now: number
  release: ReleaseSummary
  url?: string
  /** The commit or branch it was made of. */
  ref?: string
  /** Files of source maps that were uploaded under its name. */
  artifactCount: number
  /** Latest first. */
  deploys: DeployView[]
  /** The one before it: by version where both have one, by date where not. */
  previous?: ReleaseSummary
  /** Where the name is used by several projects that the reader reaches: the others. */
  otherProjects: ProjectName[]
  /** Those last seen first, up to `limits.issuesPerRelease` of each. */
  newIssues: IssueSummary[]
  regressedIssues: IssueSummary[]
}
