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

/** A release as a list shows it. */
export interface ListedRelease extends ReleaseSummary {
  /** Absent where it had no sessions. */
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
  /** The commit or branch it was made of. */
  ref?: string
  commitCount: number
  /** The latest first, up to `limits.releaseCommitsShown`. */
  commits: CommitSummary[]
  /** Files of source maps that were uploaded under its name. */
  artifactCount: number
  /** The latest of those uploads first, up to `limits.releaseUploadsShown`. */
  uploads: ArtifactUpload[]
  /** Latest first. */
  deploys: Deploy[]
  /** The one before it: by version where both have one, by date where not. */
  previous?: PreviousRelease
  /** Where the name is used by several projects that the reader reaches: the others. */
  otherProjects: ProjectName[]
  /** Those last seen first, up to `limits.issuesPerRelease` of each. */
  newIssues: IssueSummary[]
  regressedIssues: IssueSummary[]
}
