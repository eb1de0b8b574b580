import type { ArtifactUpload } from '#server/store/artifacts/records.ts'
import type { IssueSummary } from '#server/store/issues/records.ts'
import type { ProjectName } from '#server/store/projects/records.ts'
import type {
  ReleaseSummary,
  Deploy,
  CommitSummary,
  PreviousRelease,
  ReleaseHealthRecord,
  HealthHistory,
} from '#server/store/releases/records.ts'

/** A release in a list. */
export interface ListedRelease extends ReleaseSummary {
  /** Absent if it had no sessions. */
  health?: ReleaseHealthRecord
}

export interface ReleaseListView {
  now: number
  releases: ListedRelease[]
  /** Absent on the last page. */
  nextCursor?: string
  /** Absent on the first page. */
  previousCursor?: string
  projects: ProjectName[]
  environments: string[]
}

/** One release of a project, with its issues. */
export interface ReleaseView {
  now: number
  release: ReleaseSummary
  health: HealthHistory
  url?: string
  /** The commit or branch it was built from. */
  ref?: string
  commitCount: number
  /** Latest first, up to `limits.releaseCommitsShown`. */
  commits: CommitSummary[]
  /** Number of source map files that were uploaded under its name. */
  artifactCount: number
  /** Latest uploads first, up to `limits.releaseUploadsShown`. */
  uploads: ArtifactUpload[]
  /** Latest first. */
  deploys: Deploy[]
  /** The previous release: by version if both have one, otherwise by date. */
  previous?: PreviousRelease
  /** Other projects of the reader with a release of this name. */
  otherProjects: ProjectName[]
  /** Last seen first, up to `limits.issuesPerRelease` of each. */
  newIssues: IssueSummary[]
  regressedIssues: IssueSummary[]
}
